import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MB = 1024 ** 2
const CHUNK = Buffer.alloc(64 * 1024)
const SMALLEST = 512

/** An in-memory file system of a few megabytes that can be filled completely and emptied again. */
export class SmallDisk {
  readonly directory: string
  readonly #ballast: string
  readonly #file: number

  private constructor(directory: string) {
    this.directory = directory
    this.#ballast = join(directory, 'ballast')
    this.#file = openSync(this.#ballast, 'a')
  }

  /** null where this user may not mount one. */
  static make(megabytes: number): SmallDisk | null {
    const directory = mkdtempSync(join(tmpdir(), 'association-disk-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], { stdio: 'ignore' })
      return new SmallDisk(directory)
    } catch {
      rmSync(directory, { recursive: true, force: true })
      return null
    }
  }

  get freeMb(): number {
    const { bavail, bsize } = statfsSync(this.directory)
    return (bavail * bsize) / MB
  }

  /** Fills it until only `megabytes` are left; 0: until nothing can be written. */
  fill(megabytes = 0): void {
    try {
      while (megabytes === 0 || this.freeMb > megabytes + CHUNK.length / MB) writeSync(this.#file, CHUNK)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
    if (megabytes > 0) return
    try {
      for (;;) writeSync(this.#file, CHUNK, 0, SMALLEST)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }

  /** Frees the disk space again. */
  empty(): void {
    truncateSync(this.#ballast, 0)
  }

  remove(): void {
    closeSync(this.#file)
    execFileSync('umount', ['-l', this.directory], { stdio: 'ignore' })
    rmSync(this.directory, { recursive: true, force: true })
  }
}
