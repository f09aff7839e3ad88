//! How large an ext4 file system has to be so that a trial finds a given space free in it, and where its parts lie.
//!
//! The layout is the plainest that ext4 has: groups of 32,768 blocks, each with its own bitmaps and inode table at its beginning, no
//! journal, no backups of the superblock. All but the first and the last group are marked as not initialised, so that nothing of
//! them has to be written: the kernel reads their parts out of a file's holes.

/// Bytes in a block.
pub(super) const BLOCK: u64 = 4096;
/// Blocks in a group: as many as one block has bits.
pub(super) const GROUP_BLOCKS: u64 = 8 * BLOCK;
/// Bytes of an inode.
pub(super) const INODE: u64 = 256;
/// Bytes of a group's descriptor.
pub(super) const DESCRIPTOR: u64 = 32;
/// One inode for so much space, as `mke2fs` has it.
const BYTES_PER_INODE: u64 = 16 << 10;
/// Blocks of the two folders that there are: the root and `lost+found`.
pub(super) const FOLDERS: u64 = 2;
/// Blocks that the kernel keeps to itself: a fiftieth, at most so many (`ext4_calculate_resv_clusters`).
const KEPT_AT_MOST: u64 = 4096;
/// The largest space: well below what 32-bit block numbers reach.
pub(super) const MOST_BYTES: u64 = 8 << 40;
/// A last group of fewer blocks than this beyond its own parts would be no use.
const LAST_GROUP_AT_LEAST: u64 = 64;

/// The layout of one file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    /// Blocks in all.
    pub blocks: u64,
    /// Groups.
    pub groups: u64,
    /// Blocks of group descriptors, behind the superblock.
    pub descriptor_blocks: u64,
    /// Inodes in each group.
    pub group_inodes: u64,
    /// Blocks set aside for nobody, so that what is left is the space that was asked for, to the block.
    pub reserved: u64,
}

impl Geometry {
    /// A file system in which so many bytes are free, rounded up to a block; `None` if that is more than [`MOST_BYTES`] or nothing.
    pub fn with_free(bytes: u64) -> Option<Self> {
        if bytes == 0 || bytes > MOST_BYTES {
            return None;
        }
        let wanted = bytes.div_ceil(BLOCK);
        let group_inodes =
            (bytes / BYTES_PER_INODE).next_multiple_of(16).clamp(16, GROUP_BLOCKS * BLOCK / BYTES_PER_INODE);
        let mut found = Self { blocks: wanted, groups: 0, descriptor_blocks: 0, group_inodes, reserved: 0 };
        // More blocks may need more groups, whose parts need more blocks: a few steps settle it.
        loop {
            found.groups = found.blocks.div_ceil(GROUP_BLOCKS);
            found.descriptor_blocks = (found.groups * DESCRIPTOR).div_ceil(BLOCK);
            let last = found.blocks - (found.groups - 1) * GROUP_BLOCKS;
            let least = found.group_parts() + LAST_GROUP_AT_LEAST;
            let short = wanted.saturating_sub(found.free_blocks());
            if last < least && found.groups > 1 {
                found.blocks += least - last;
            } else if short > 0 {
                found.blocks += short;
            } else {
                found.reserved = found.free_blocks() - wanted;
                return Some(found);
            }
        }
    }

    /// Blocks that hold a group's bitmaps and inode table.
    pub fn group_parts(&self) -> u64 {
        2 + self.table_blocks()
    }

    /// Blocks of a group's inode table.
    pub fn table_blocks(&self) -> u64 {
        self.group_inodes * INODE / BLOCK
    }

    /// Where a group's own parts begin.
    pub fn parts_at(&self, group: u64) -> u64 {
        let head = if group == 0 { 1 + self.descriptor_blocks } else { 0 };
        group * GROUP_BLOCKS + head
    }

    /// Blocks of a group: the last one is as long as it is.
    pub fn blocks_of(&self, group: u64) -> u64 {
        (self.blocks - group * GROUP_BLOCKS).min(GROUP_BLOCKS)
    }

    /// Blocks of a group that hold something from the beginning; they are its first ones.
    pub fn used_of(&self, group: u64) -> u64 {
        let folders = if group == 0 { FOLDERS } else { 0 };
        self.parts_at(group) - group * GROUP_BLOCKS + self.group_parts() + folders
    }

    /// Blocks that nobody uses, those included that nobody may use.
    pub fn unused(&self) -> u64 {
        let used = 1 + self.descriptor_blocks + self.groups * self.group_parts() + FOLDERS;
        self.blocks.saturating_sub(used)
    }

    fn free_blocks(&self) -> u64 {
        self.unused().saturating_sub((self.blocks / 50).min(KEPT_AT_MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_free() {
        for bytes in
            [1, 4096, 1 << 20, 60_000_000, 60 << 20, 126 << 20, 128 << 20, 10 << 30, 1 << 40, MOST_BYTES]
        {
            let found = Geometry::with_free(bytes).expect("fits");
            assert_eq!(
                (found.free_blocks() - found.reserved) * BLOCK,
                bytes.next_multiple_of(BLOCK),
                "{bytes}"
            );
            assert!(found.used_of(found.groups - 1) < found.blocks_of(found.groups - 1), "{found:?}");
            assert!(found.blocks < 1 << 32 && found.group_inodes.is_multiple_of(16));
        }
        assert_eq!(Geometry::with_free(0), None);
        assert_eq!(Geometry::with_free(MOST_BYTES + 1), None);
    }
}
