"""From a plain C header to the native shims of every binding technology."""
