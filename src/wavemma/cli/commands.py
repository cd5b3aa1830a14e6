"""All commands: what each is called, where it lives, and its summary."""

# Command, where it lives, and its summary: the first line of the command's own docstring, which a
# house test compares, so that the overview needs no command loaded.
COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("where", "wavemma.cli.where:where", "Find the registers and lanes of one element."),
    ("layout", "wavemma.cli.layout:layout", "Show the whole register layout of an operand."),
    (
        "check-layout",
        "wavemma.cli.check_layout:check_layout",
        "Say whether a mapping is right, and if not, whose it is.",
    ),
    (
        "diagnose",
        "wavemma.cli.diagnose:diagnose",
        "Find the fault that makes an output wrong.",
    ),
    ("show", "wavemma.cli.show:show", "Show everything about one name."),
    (
        "list",
        "wavemma.cli.listing:list_",
        "List instructions, builtins, targets, products, formats.",
    ),
    ("exec", "wavemma.cli.exec:exec_", "Run one kernel of a code object or source."),
    ("asm", "wavemma.cli.asm:asm", "Assemble matrix instructions."),
    ("dis", "wavemma.cli.dis:dis", "Disassemble words, files and code objects."),
    (
        "lint",
        "wavemma.cli.lint:lint",
        "Find hazards, reserved bits and absent instructions in code.",
    ),
    ("why", "wavemma.cli.why:why", "Say why code does not compile and what to call."),
    ("port", "wavemma.cli.port:port", "Port an operation from one target to another."),
    ("guard", "wavemma.cli.guard:guard", "Write the preprocessor guard of a feature."),
    ("rate", "wavemma.cli.rate:rate", "Tell how fast one instruction runs."),
    ("peak", "wavemma.cli.peak:peak", "Tell the peak matrix rate of a product."),
    (
        "numerics",
        "wavemma.cli.numerics:numerics",
        "Compute one sum of products on all targets, bit for bit.",
    ),
    (
        "run",
        "wavemma.cli.run:run",
        "Compile a HIP program, host and device, and run it on this computer.",
    ),
    ("gemm", "wavemma.cli.gemm:gemm", "Multiply two matrices as the hardware does."),
    ("probe", "wavemma.cli.probe:probe", "Settle an open question on real silicon."),
    ("bits", "wavemma.cli.bits:bits", "Show the numbers of codes, or the codes of numbers."),
    (
        "coverage",
        "wavemma.cli.coverage:coverage",
        "Tell which instructions are decoded and run.",
    ),
    (
        "completion",
        "wavemma.cli.completion:completion",
        "Print the script that completes words in a shell.",
    ),
    ("doctor", "wavemma.cli.doctor:doctor", "Check that this installation is sound."),
)
# Commands of commands: name, summary, and its own commands as above.
GROUPS: tuple[tuple[str, str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "sparse",
        "Pack, check and explain 2:4 sparse operands.",
        (
            ("pack", "wavemma.cli.sparse:pack", "Pack a 2:4 sparse A and its index."),
            ("verify", "wavemma.cli.sparse:verify", "Check an index operand."),
            ("info", "wavemma.cli.sparse:info", "Explain the index operand of an instruction."),
        ),
    ),
    (
        "scale",
        "Explain block scales: bytes, words and places.",
        (
            ("value", "wavemma.cli.scale:value", "Show the numbers of scale bytes."),
            ("word", "wavemma.cli.scale:word", "Build the register word of scale bytes."),
            ("where", "wavemma.cli.scale:where", "Find the scale of one element."),
        ),
    ),
    (
        "cache",
        "Look at or clear the cache of compiled kernels.",
        (
            (
                "info",
                "wavemma.cli.cache:info",
                "Tell where compiled kernels are kept and how much.",
            ),
            ("clear", "wavemma.cli.cache:clear", "Delete the compiled kernels."),
        ),
    ),
)
