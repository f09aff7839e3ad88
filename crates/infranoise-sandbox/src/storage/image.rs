//! Writing an empty ext4 file system into a file, without `mkfs`.
//!
//! A few blocks are written, whatever the size: superblock, group descriptors, two bitmaps, two inodes, two folders. Everything else is a hole.
//! Numbers are little-endian; offsets are those of `fs/ext4/ext4.h`. Deliberately absent: a journal (the file system is thrown away, not recovered)
//! and everything that only a long life needs.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::geometry::{BLOCK, DESCRIPTOR, GROUP_BLOCKS, Geometry, INODE};

/// Inode numbers of the two folders, and the first one that is free.
const ROOT: u32 = 2;
const LOST_AND_FOUND: u32 = 11;
const FIRST_FREE: u64 = 12;

/// Extended attributes (overlayfs needs them), hashed folders.
const COMPATIBLE: u32 = 0x8 | 0x20 | SPARSE_SUPER_2;
/// No backups of the superblock but where `s_backup_bgs` says: nowhere.
const SPARSE_SUPER_2: u32 = 0x200;
/// Kinds in folder entries, extents.
const INCOMPATIBLE: u32 = 0x2 | 0x40;
/// Sparse superblocks, large and huge files, checksums of descriptors (with which groups may be left alone), many links, large inodes.
const READ_ONLY_COMPATIBLE: u32 = 0x1 | 0x2 | 0x8 | 0x10 | 0x20 | 0x40;

/// Every image has the same: nobody looks for it.
const UUID: [u8; 16] = *b"infranoise trial";
/// Whom the reserved blocks are for: a user that nobody is.
const NOBODY: u16 = 65_533;

const INODES_UNUSED: u16 = 1;
const BLOCKS_UNUSED: u16 = 2;
const TABLE_IS_ZERO: u16 = 4;

/// A block under construction.
struct Block(Vec<u8>);

impl Block {
    fn new() -> Self {
        Self(vec![0; BLOCK as usize])
    }

    fn u16(&mut self, at: usize, value: u64) {
        self.0[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes());
    }

    fn u32(&mut self, at: usize, value: u64) {
        self.0[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes());
    }

    fn bytes(&mut self, at: usize, value: &[u8]) {
        self.0[at..at + value.len()].copy_from_slice(value);
    }

    /// Sets the bits from one number to another: of a bitmap.
    fn mark(&mut self, from: u64, to: u64) {
        for bit in from..to {
            self.0[(bit / 8) as usize] |= 1 << (bit % 8);
        }
    }
}

/// Gives an empty file its size and writes the file system into it.
pub(super) fn write(file: &File, geometry: &Geometry) -> io::Result<()> {
    file.set_len(geometry.blocks * BLOCK)?;
    let put = |block: u64, content: &Block| file.write_all_at(&content.0, block * BLOCK);
    let first = geometry.parts_at(0);
    let table = first + 2;
    let folders = table + geometry.table_blocks();
    put(0, &superblock(geometry))?;
    file.write_all_at(&descriptors(geometry), BLOCK)?;
    put(first, &block_bitmap(geometry, 0))?;
    put(first + 1, &inode_bitmap(geometry))?;
    let mut inodes = Block::new();
    inode(&mut inodes, ROOT, 0o755, 3, folders);
    inode(&mut inodes, LOST_AND_FOUND, 0o700, 2, folders + 1);
    put(table, &inodes)?;
    put(folders, &folder(ROOT, ROOT, Some((LOST_AND_FOUND, "lost+found"))))?;
    put(folders + 1, &folder(LOST_AND_FOUND, ROOT, None))?;
    let last = geometry.groups - 1;
    if last > 0 && geometry.blocks_of(last) < GROUP_BLOCKS {
        put(geometry.parts_at(last), &block_bitmap(geometry, last))?;
    }
    Ok(())
}

fn superblock(geometry: &Geometry) -> Block {
    let mut whole = Block::new();
    let mut u32 = |at: usize, value: u64| whole.u32(1024 + at, value);
    u32(0x00, geometry.groups * geometry.group_inodes);
    u32(0x04, geometry.blocks);
    u32(0x08, geometry.reserved);
    u32(0x0c, geometry.unused());
    u32(0x10, geometry.groups * geometry.group_inodes - (FIRST_FREE - 1));
    u32(0x18, 2);
    u32(0x1c, 2);
    u32(0x20, GROUP_BLOCKS);
    u32(0x24, GROUP_BLOCKS);
    u32(0x28, geometry.group_inodes);
    // Revision 1, first inode that is not the file system's own.
    u32(0x4c, 1);
    u32(0x54, FIRST_FREE - 1);
    u32(0x5c, u64::from(COMPATIBLE));
    u32(0x60, u64::from(INCOMPATIBLE));
    u32(0x64, u64::from(READ_ONLY_COMPATIBLE));
    // Names in folders are hashed as signed characters: said, so that the kernel need not write it.
    u32(0x160, 1);
    let mut u16 = |at: usize, value: u64| whole.u16(1024 + at, value);
    u16(0x36, 0xffff);
    u16(0x38, 0xef53);
    // Clean; errors are no reason to stop.
    u16(0x3a, 1);
    u16(0x3c, 1);
    u16(0x50, u64::from(NOBODY));
    u16(0x52, u64::from(NOBODY));
    u16(0x58, INODE);
    // Room in each inode beyond the first 128 bytes.
    u16(0x15c, 32);
    u16(0x15e, 32);
    whole.bytes(1024 + 0x68, &UUID);
    whole.bytes(1024 + 0x78, b"infranoise");
    // The seed of folder hashes, and that they are half MD4.
    whole.bytes(1024 + 0xec, &UUID);
    whole.bytes(1024 + 0xfc, &[1]);
    whole
}

/// All descriptors, as whole blocks.
fn descriptors(geometry: &Geometry) -> Vec<u8> {
    let mut all = Vec::with_capacity((geometry.descriptor_blocks * BLOCK) as usize);
    for group in 0..geometry.groups {
        let at = geometry.parts_at(group);
        let used_inodes = if group == 0 { FIRST_FREE - 1 } else { 0 };
        let mut flags = TABLE_IS_ZERO;
        if group > 0 {
            flags |= INODES_UNUSED;
            if geometry.blocks_of(group) == GROUP_BLOCKS {
                flags |= BLOCKS_UNUSED;
            }
        }
        let mut one = [0; DESCRIPTOR as usize];
        for (place, value) in [(0, at), (4, at + 1), (8, at + 2)] {
            one[place..place + 4].copy_from_slice(&(value as u32).to_le_bytes());
        }
        let halves = [
            (0x0c, geometry.blocks_of(group) - geometry.used_of(group)),
            (0x0e, geometry.group_inodes - used_inodes),
            (0x10, if group == 0 { 2 } else { 0 }),
            (0x12, u64::from(flags)),
            (0x1c, geometry.group_inodes - used_inodes),
        ];
        for (place, value) in halves {
            one[place..place + 2].copy_from_slice(&(value as u16).to_le_bytes());
        }
        let checksum = [&UUID[..], &(group as u32).to_le_bytes(), &one[..0x1e]].into_iter().fold(!0, crc16);
        one[0x1e..].copy_from_slice(&checksum.to_le_bytes());
        all.extend_from_slice(&one);
    }
    all.resize((geometry.descriptor_blocks * BLOCK) as usize, 0);
    all
}

/// The used blocks of a group; bits beyond its end count as used.
fn block_bitmap(geometry: &Geometry, group: u64) -> Block {
    let mut bitmap = Block::new();
    bitmap.mark(0, geometry.used_of(group));
    bitmap.mark(geometry.blocks_of(group), GROUP_BLOCKS);
    bitmap
}

/// The used inodes of the first group; bits beyond the last inode count as used.
fn inode_bitmap(geometry: &Geometry) -> Block {
    let mut bitmap = Block::new();
    bitmap.mark(0, FIRST_FREE - 1);
    bitmap.mark(geometry.group_inodes, GROUP_BLOCKS);
    bitmap
}

/// A folder's inode, with its one block.
fn inode(table: &mut Block, number: u32, mode: u64, links: u64, block: u64) {
    let at = (u64::from(number - 1) * INODE) as usize;
    table.u16(at, 0o040_000 | mode);
    table.u32(at + 0x04, BLOCK);
    table.u16(at + 0x1a, links);
    // In units of 512 bytes.
    table.u32(at + 0x1c, BLOCK / 512);
    // Uses extents: a header with room for four, and one extent of one block.
    table.u32(at + 0x20, 0x8_0000);
    for (place, value) in [(0x28, 0xf30a), (0x2a, 1), (0x2c, 4), (0x38, 1)] {
        table.u16(at + place, value);
    }
    table.u32(at + 0x3c, block);
    table.u16(at + 0x80, 32);
}

/// A folder's block: itself, the folder above, and at most one more.
fn folder(own: u32, above: u32, entry: Option<(u32, &str)>) -> Block {
    let mut block = Block::new();
    let mut at = 0;
    let entries = [Some((own, ".")), Some((above, "..")), entry];
    let count = entries.iter().flatten().count();
    for (place, (inode, name)) in entries.into_iter().flatten().enumerate() {
        // The last one takes the rest of the block.
        let length =
            if place + 1 == count { BLOCK as usize - at } else { (8 + name.len()).next_multiple_of(4) };
        block.u32(at, u64::from(inode));
        block.u16(at + 4, length as u64);
        block.bytes(at + 6, &[name.len() as u8, 2]);
        block.bytes(at + 8, name.as_bytes());
        at += length;
    }
    block
}

/// The checksum of descriptors (CRC-16 with the polynomial 0x8005, bits reversed).
fn crc16(mut crc: u16, bytes: &[u8]) -> u16 {
    for byte in bytes {
        crc ^= u16::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xa001 } else { crc >> 1 };
        }
    }
    crc
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn the_checksum_is_the_kernels() {
        assert_eq!(crc16(0, b"123456789"), 0xbb3d);
    }

    #[test]
    fn e2fsck_finds_nothing_to_complain_of() {
        for bytes in [4096, 1 << 20, 60_000_000, 126 << 20, 200 << 20, 10 << 30, 300 << 30] {
            let file = tempfile::NamedTempFile::new().expect("a file");
            let geometry = Geometry::with_free(bytes).expect("fits");
            write(file.as_file(), &geometry).expect("is written");
            let checked = Command::new("e2fsck")
                .arg("-fn")
                .arg(file.path())
                .env("PATH", "/usr/sbin:/sbin:/usr/bin:/bin")
                .output();
            let Ok(checked) = checked else {
                return eprintln!("SKIPPED: there is no e2fsck on this machine");
            };
            let said = String::from_utf8_lossy(&checked.stdout);
            assert!(checked.status.success(), "{bytes}: {said}{}", String::from_utf8_lossy(&checked.stderr));
        }
    }
}
