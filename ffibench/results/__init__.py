"""The run file: compared, kept, loaded and exported."""
