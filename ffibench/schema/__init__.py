"""From a `.proto` to one C codec: suites on disk, descriptors, columns, the codec's source, fixtures, an oracle."""
