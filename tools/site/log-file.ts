import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const LARGEST_BYTES = 10_000_000

/** A file that never grows beyond 10 MB: older output is kept once, as `<file>.1`. */
export class LogFile {
  readonly #path: string
  #descriptor: number
  #bytes: number

  constructor(path: string) {
    this.#path = path
    mkdirSync(dirname(path), { recursive: true })
    this.#descriptor = openSync(path, 'a')
    this.#bytes = fstatSync(this.#descriptor).size
  }

  write(chunk: Buffer): void {
    if (this.#bytes > LARGEST_BYTES) this.#rotate()
    this.#bytes += writeSync(this.#descriptor, chunk)
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #rotate(): void {
    closeSync(this.#descriptor)
    renameSync(this.#path, `${this.#path}.1`)
    this.#descriptor = openSync(this.#path, 'a')
    this.#bytes = 0
  }
}
