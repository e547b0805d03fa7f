//! How a kernel may read and write.

/// What is known of the packs of a launch, in kernels/load.cuh's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Load {
    /// Every pack is aligned to its size and the columns are a multiple of a pack.
    Whole,
    /// Every pack is aligned to its size; the last of a row may be partial.
    Aligned,
    /// Nothing.
    Any,
}

impl Load {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Whole => "wf::Load::whole",
            Self::Aligned => "wf::Load::aligned",
            Self::Any => "wf::Load::any",
        }
    }
}
