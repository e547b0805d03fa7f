//! What rustc says of a launch that a form does not have: no type implements these traits, and their messages say what
//! there is instead.

macro_rules! absent {
    ($($(#[$message:meta])* $name:ident;)*) => { $(
        $(#[$message])*
        /// Nothing implements it: the launch is not there.
        pub trait $name<Spec> {}
    )* };
}

absent! {
    #[diagnostic::on_unimplemented(
        message = "`{Spec}` has `apply`, so it goes over rows or segments and has no `array`",
        label = "no `array` with `apply`",
        note = "an array is one row: write `{Spec}::rows(Rows::new(1, n), …)`"
    )]
    ArrayOfApply;
    #[diagnostic::on_unimplemented(
        message = "`{Spec}` has `apply`, so it goes over rows or segments and has no `columns`",
        label = "no `columns` with `apply`",
        note = "there are `rows` and `segments`, each with an `_into` twin"
    )]
    ColumnsOfApply;
    #[diagnostic::on_unimplemented(
        message = "`{Spec}` is a filter, which has no `columns`",
        label = "no `columns` of a filter",
        note = "there are `rows`, `segments`, `array` and `indices`, each with an `_into` twin"
    )]
    ColumnsOfFilter;
    #[diagnostic::on_unimplemented(
        message = "`{Spec}` is a shuffle, which goes over rows and has no `array`",
        label = "no `array` of a shuffle",
        note = "an array is one row: write `{Spec}::rows(Rows::new(1, n), …)`"
    )]
    ArrayOfShuffle;
    #[diagnostic::on_unimplemented(
        message = "`{Spec}` is a shuffle, which goes over rows and has no `columns`",
        label = "no `columns` of a shuffle",
        note = "there are `rows` and `rows_into`"
    )]
    ColumnsOfShuffle;
    #[diagnostic::on_unimplemented(
        message = "`{Spec}` is a shuffle, which goes over rows and has no `segments`",
        label = "no `segments` of a shuffle",
        note = "there are `rows` and `rows_into`"
    )]
    SegmentsOfShuffle;
}
