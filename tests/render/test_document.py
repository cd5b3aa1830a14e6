from wavemma.render.document import Detail, Heading, Text, flat


def test_details_are_short_or_whole() -> None:
    inner = Detail((Text("inside, whole"),), (Text("inside, short"),))
    document = (Heading("title", 1), Detail((Text("whole"), inner), (Text("short"),)), inner)
    title = Heading("title", 1)
    assert flat(document, full=True) == (
        title,
        Text("whole"),
        Text("inside, whole"),
        Text("inside, whole"),
    )
    assert flat(document, full=False) == (title, Text("short"), Text("inside, short"))
