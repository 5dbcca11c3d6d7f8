package io.ostraka.node.view;

/**
 * The View of a write, which looks several times at what is present then: it stays the same as long as nothing is applied
 * meanwhile, since to open one costs more than to read a document. One thread. May be used again after {@link #close}.
 */
public final class PresentView implements AutoCloseable {
    private final Views views;
    private View view;

    public PresentView(Views views) {
        this.views = views;
    }

    /**
     * The present state: whatever was acknowledged before this call is in it, and so is what was written under locks that
     * were free by then. The caller does not close it; it lives until the next call, or until this is closed.
     */
    public View get() {
        if (view != null && !views.isPresent(view)) {
            close();
        }
        if (view == null) {
            view = views.open();
        }
        return view;
    }

    @Override
    public void close() {
        if (view != null) {
            view.close();
            view = null;
        }
    }
}
