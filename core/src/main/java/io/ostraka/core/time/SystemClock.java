package io.ostraka.core.time;

import io.ostraka.core.Allowed;

@Allowed("the one place that reads the machine's clocks")
final class SystemClock implements Clock {
    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }
}
