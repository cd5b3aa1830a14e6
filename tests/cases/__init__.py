"""The cases of people who do this work, through the commands."""
