//! `.npy` files that are read and written in order, piece by piece, so that they may be larger than any memory.

use std::error::Error;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bytemuck::Pod;
use ndarray_npy::WritableElement;
use ndarray_npy::npy::header::{Header, Layout};
use tempfile::NamedTempFile;

/// An array of `f32` in a file, its last axis innermost.
pub struct Source {
    path: PathBuf,
    file: File,
    /// Where the elements begin, in bytes.
    start: u64,
    shape: Vec<usize>,
}

impl Source {
    /// Opens a file and sees that it is what it says: the header, the type, the order, the length.
    pub fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let name = path.display();
        let cannot = |why: String, help: String| -> Box<dyn Error> {
            format!("cannot read {name}: {why}\nhelp: {help}").into()
        };
        let save = |what: &str| format!("numpy.save(\"{name}\", {what})");
        let mut file = File::open(path).map_err(|why| match why.kind() {
            ErrorKind::NotFound => cannot("there is no such file".into(), save("array.astype(\"<f4\")")),
            _ => cannot(why.to_string(), "name a file that you may read".into()),
        })?;
        let header = Header::from_reader(&mut file).map_err(|why| {
            cannot(
                format!("it is no .npy file ({why})"),
                save("array.astype(\"<f4\")"),
            )
        })?;
        if header.type_descriptor != f32::type_descriptor() {
            let why = format!("its elements are {}, not '<f4' (f32)", header.type_descriptor);
            return Err(cannot(why, save("array.astype(\"<f4\")")));
        }
        if header.layout == Layout::Fortran && header.shape.len() > 1 {
            let why = "it is in Fortran order, the first axis innermost".into();
            return Err(cannot(why, save("numpy.ascontiguousarray(array)")));
        }
        let elements = header
            .shape
            .iter()
            .try_fold(1_usize, |product, &axis| product.checked_mul(axis))
            .and_then(|elements| elements.checked_mul(size_of::<f32>()).and(Some(elements)))
            .ok_or_else(|| cannot(format!("no memory counts {:?}", header.shape), save("array")))?;
        let start = file.stream_position()?;
        let (wanted, given) = (
            (elements * size_of::<f32>()) as u64,
            file.metadata()?.len() - start,
        );
        if given < wanted {
            let why = format!(
                "it is cut off, {given} bytes of elements where its shape {:?} has {wanted}",
                header.shape
            );
            return Err(cannot(why, "copy or save it again".into()));
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            start,
            shape: header.shape,
        })
    }

    /// The array's shape.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Reads the elements from `at` on.
    pub fn read(&mut self, at: usize, into: &mut [f32]) -> Result<(), Box<dyn Error>> {
        let position = self.start + (at * size_of::<f32>()) as u64;
        let read = self
            .file
            .seek(SeekFrom::Start(position))
            .and_then(|_| self.file.read_exact(bytemuck::cast_slice_mut(into)));
        read.map_err(|why| {
            format!(
                "cannot read {}: {why}\nhelp: let nobody write to it meanwhile",
                self.path.display()
            )
            .into()
        })
    }
}

/// A file that is written from its start to its end.
///
/// It lies under another name until it is whole, so that nothing is lost where something goes wrong, and the result
/// may take the place of the input.
pub struct Sink {
    path: PathBuf,
    file: NamedTempFile,
    /// Bytes of the header.
    header: usize,
    /// Elements written.
    written: usize,
}

impl Sink {
    /// A file for an array of this shape.
    pub fn create<T: WritableElement>(path: &Path, shape: &[usize]) -> Result<Self, Box<dyn Error>> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".npy-").suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let refused = |why: &dyn std::fmt::Display| -> Box<dyn Error> {
            let name = path.display();
            format!("cannot write {name}: {why}\nhelp: name a file in a folder that exists and that you may write to")
                .into()
        };
        if path.is_dir() {
            return Err(refused(&"it is a folder"));
        }
        let mut file = builder.tempfile_in(folder).map_err(|why| refused(&why))?;
        let header = header::<T>(shape)?;
        file.write_all(&header).map_err(|why| refused(&why))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            header: header.len(),
            written: 0,
        })
    }

    /// Appends elements.
    pub fn write<T: Pod>(&mut self, elements: &[T]) -> Result<(), Box<dyn Error>> {
        self.written += elements.len();
        let bytes = bytemuck::cast_slice(elements);
        self.file.write_all(bytes).map_err(|why| self.stopped(&why))
    }

    /// Elements written so far.
    pub const fn written(&self) -> usize {
        self.written
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), Box<dyn Error>> {
        let path = self.path.clone();
        match self.file.persist(&path) {
            Ok(_) => Ok(()),
            Err(why) => Err(format!(
                "cannot write {}: {}\nhelp: name a file that you may replace",
                path.display(),
                why.error
            )
            .into()),
        }
    }

    /// Gives the file its name and, as its shape, the number of elements that were written: for results whose length is
    /// known only at their end.
    pub fn finish_as_list<T: WritableElement>(mut self) -> Result<(), Box<dyn Error>> {
        let header = header::<T>(&[self.written])?;
        if header.len() != self.header {
            return Err("the header of a list has one length, however long the list is".into());
        }
        let rewritten = self
            .file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.write_all(&header));
        rewritten.map_err(|why| self.stopped(&why))?;
        self.finish()
    }

    fn stopped(&self, why: &std::io::Error) -> Box<dyn Error> {
        format!(
            "cannot write {}: {why}\nhelp: see that there is room on its disk",
            self.path.display()
        )
        .into()
    }
}

fn header<T: WritableElement>(shape: &[usize]) -> Result<Vec<u8>, Box<dyn Error>> {
    let header = Header {
        type_descriptor: T::type_descriptor(),
        layout: Layout::Standard,
        shape: shape.to_vec(),
    };
    Ok(header.to_bytes()?)
}
