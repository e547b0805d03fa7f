//! Rows, segments and arrays shared out among ranks, and what they make of them brought together.

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::element::Element;
use crate::error::Error;
use crate::group::Group;
use crate::group::message::{Call, Message};
use crate::memory;
use crate::rows::Rows;

impl Group {
    /// This rank's part of `n` things (elements, rows): neighbours, in rank order, as many for each rank but for one.
    ///
    /// ```
    /// let group = warpfold::Group::alone();
    /// assert_eq!(group.part(10), 0..10);
    /// ```
    pub fn part(&self, n: usize) -> Range<usize> {
        part(n, self.rank, self.size)
    }

    /// This rank's part of rows, which need no other rank: the shape of its rows, and which elements of the whole they are.
    ///
    /// ```
    /// use warpfold::{Group, Rows};
    /// let (shape, elements) = Group::alone().part_of_rows(Rows::new(3, 20).stride(32));
    /// assert_eq!((shape.rows(), elements), (3, 0..84));
    /// ```
    pub fn part_of_rows(&self, shape: Rows) -> (Rows, Range<usize>) {
        let (rows, stride) = (self.part(shape.rows()), shape.input_stride());
        let own = shape.with_rows(rows.len());
        if rows.is_empty() {
            // There may be no element where the next row would start.
            return (own, 0..0);
        }
        (own, rows.start * stride..(rows.end - 1) * stride + shape.cols())
    }

    /// This rank's part of the segments between `offsets`, so that the parts have about as many elements: their offsets, from
    /// 0 on, and which elements of the whole they are.
    ///
    /// ```
    /// use warpfold::Group;
    /// let (offsets, elements) = Group::alone().part_of_segments(&[2, 5, 9])?;
    /// assert_eq!((offsets, elements), (vec![0, 3, 7], 2..9));
    /// # Ok::<(), warpfold::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Offsets`] where they fall.
    pub fn part_of_segments(&self, offsets: &[u64]) -> Result<(Vec<u64>, Range<usize>), Error> {
        let (Some(&first), Some(&last)) = (offsets.first(), offsets.last()) else {
            return Ok((vec![0], 0..0));
        };
        if !offsets.is_sorted() {
            return Err(Error::Offsets {
                spec: "part_of_segments",
                what: "fall".into(),
            });
        }
        let elements = last.saturating_sub(first) as usize;
        // The segment at which a rank begins: the first whose start is at or past its share of the elements.
        let begin = |rank: usize| match rank {
            0 => 0,
            rank if rank == self.size => offsets.len() - 1,
            rank => {
                let share = first + part(elements, rank, self.size).start as u64;
                offsets[..offsets.len() - 1].partition_point(|&offset| offset < share)
            }
        };
        let own = &offsets[begin(self.rank)..=begin(self.rank + 1)];
        let start = own[0];
        let rebased = own.iter().map(|&offset| offset - start).collect();
        Ok((rebased, start as usize..own[own.len() - 1] as usize))
    }

    /// What all ranks have, in rank order, on every rank. They may have different numbers of elements, and none.
    ///
    /// # Errors
    /// [`Error::GroupDiffers`], [`Error::GroupFailed`] and [`Error::GroupLost`] as for [`reduce`](Self::reduce).
    pub fn gather<T: Element>(&mut self, own: &[T]) -> Result<Vec<T>, Error> {
        let call = Call::gather::<T>(self.turn);
        let messages = self.step(&call, &Message::length(&call, own.len() as u64))?;
        let lengths: Vec<_> = messages.iter().map(|message| message.len() as usize).collect();
        let most = lengths.iter().max().map_or(0, |&most| most * size_of::<T>());
        if most == 0 {
            return Ok(Vec::new());
        }
        let mut block = memory::filled(MaybeUninit::new(0_u8), most).inspect_err(|_| self.lost = true)?;
        // SAFETY: the source holds that many bytes, the target at least as many and is another place. Padding of a struct is
        // copied as bytes without a value, which `MaybeUninit` may hold.
        unsafe {
            let from = own.as_ptr().cast::<MaybeUninit<u8>>();
            from.copy_to_nonoverlapping(block.as_mut_ptr(), size_of_val(own));
        }
        self.turn += 1;
        let blocks = self
            .transport
            .gather(&block, self.timeout)
            .inspect_err(|_| self.lost = true)?;
        let mut all = memory::room(lengths.iter().sum())?;
        for (block, len) in blocks.iter().zip(lengths) {
            let from = block.as_ptr().cast::<T>();
            // SAFETY: the rank's message said that it has that many elements of this type, which start its block.
            all.extend((0..len).map(|i| unsafe { from.add(i).read_unaligned() }));
        }
        Ok(all)
    }
}

/// Part `rank` of `size`: the first `n % size` have one more than the others.
fn part(n: usize, rank: usize, size: usize) -> Range<usize> {
    let (each, more) = (n / size, n % size);
    let start = rank * each + rank.min(more);
    start..start + each + usize::from(rank < more)
}
