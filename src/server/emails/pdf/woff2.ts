import { brotliDecompressSync } from 'node:zlib'
import { ByteReader } from './byte-reader.ts'
import { rebuildGlyphs, rebuildMetrics } from './woff2-glyphs.ts'

const SIGNATURE = 0x774f4632
const HEADER_BYTES = 48
/** The tables that WOFF2 identifies by number (section 4.1). */
const KNOWN_TAGS = (
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF ' +
  'MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
)
  .split(' ')
  .map((tag) => tag.replace('_', ' '))
const ANY_TAG = 63

interface Entry {
  tag: string
  isTransformed: boolean
  /** The stored length. */
  length: number
}

/** Decodes a WOFF2 font to TrueType (W3C, WOFF File Format 2.0). @throws for anything else, such as a collection */
export function decodeWoff2(file: Buffer): Buffer {
  const reader = new ByteReader(file)
  if (reader.u32() !== SIGNATURE) throw new Error('This is no WOFF2 file.')
  const flavor = reader.u32()
  reader.at = 12
  const count = reader.u16()
  reader.at = 20
  const compressedLength = reader.u32()
  reader.at = HEADER_BYTES
  const entries = Array.from({ length: count }, () => readEntry(reader))
  const content = new ByteReader(brotliDecompressSync(reader.take(compressedLength)))
  const kept = new Map(entries.map(({ tag, length }) => [tag, content.take(length)]))
  const isTransformed = (name: string) => entries.some(({ tag, isTransformed: is }) => tag === name && is)
  const tables = new Map(kept)
  const need = (tag: string): Buffer => {
    const table = tables.get(tag)
    if (!table) throw new Error(`This font has no table ${tag}.`)
    return table
  }
  if (isTransformed('glyf')) {
    const { glyf, loca, leftEdges } = rebuildGlyphs(need('glyf'))
    tables.set('glyf', glyf).set('loca', loca)
    const head = Buffer.from(need('head'))
    // Offsets use the long format.
    head.writeInt16BE(1, 50)
    tables.set('head', head)
    if (isTransformed('hmtx')) {
      tables.set('hmtx', rebuildMetrics(need('hmtx'), need('hhea').readUInt16BE(34), leftEdges))
    }
  }
  return assemble(flavor, tables)
}

function readEntry(reader: ByteReader): Entry {
  const flags = reader.u8()
  const index = flags & 63
  const tag = index === ANY_TAG ? reader.take(4).toString('latin1') : (KNOWN_TAGS[index] ?? '')
  const version = flags >> 6
  const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0
  const original = reader.base128()
  return { tag, isTransformed, length: isTransformed ? reader.base128() : original }
}

function assemble(flavor: number, tables: ReadonlyMap<string, Buffer>): Buffer {
  const tags = [...tables.keys()].sort()
  const header = Buffer.alloc(12 + 16 * tags.length)
  header.writeUInt32BE(flavor, 0)
  header.writeUInt16BE(tags.length, 4)
  const parts: Buffer[] = [header]
  let offset = header.length
  for (const [index, tag] of tags.entries()) {
    const table = tables.get(tag) ?? Buffer.alloc(0)
    const at = 12 + 16 * index
    header.write(tag, at, 'latin1')
    header.writeUInt32BE(offset, at + 8)
    header.writeUInt32BE(table.length, at + 12)
    const padding = (4 - (table.length % 4)) % 4
    parts.push(table, Buffer.alloc(padding))
    offset += table.length + padding
  }
  return Buffer.concat(parts)
}
