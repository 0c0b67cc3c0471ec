import { hash } from 'node:crypto'
import type { Table } from './schema/tables.ts'

const LANES = 8

/**
 * Row count and checksum, independent of row order and engine: the hashes of all rows are summed lane by lane. Detects damaged or missing rows, but not
 * deliberate forgery.
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
    // A lane is 32 bits wide and overflows silently.
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
