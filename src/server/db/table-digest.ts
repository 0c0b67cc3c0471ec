import { hash } from 'node:crypto'
import type { Table } from './tables.ts'

const LANES = 8

/**
 * Count and checksum of rows, the same whatever order they come in and whichever engine they come from: the hashes of all rows are added up, lane by
 * lane. It tells what was damaged or forgotten; it is no proof against somebody who forges rows.
 */
export class TableDigest {
  readonly #columns: readonly string[]
  readonly #sums = new Uint32Array(LANES)
  #rows = 0

  constructor({ columns }: Table) {
    this.#columns = columns.map(({ name }) => name)
  }

  add(row: Readonly<Record<string, unknown>>): void {
    const bytes = hash('sha256', JSON.stringify(this.#columns.map((name) => row[name])), 'buffer')
    // A lane holds 32 bits: what goes beyond is dropped.
    for (let lane = 0; lane < LANES; lane++) this.#sums[lane]! += bytes.readUInt32LE(lane * 4)
    this.#rows++
  }

  get rows(): number {
    return this.#rows
  }

  /** 64 hexadecimal digits. */
  get checksum(): string {
    return Buffer.from(this.#sums.buffer).toString('hex')
  }
}
