//! Placeholder of the package; its programs are targets of their own.
