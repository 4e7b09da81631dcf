"""From source to an artifact in the cache: compilers, staging, checksums, and the library under test."""
