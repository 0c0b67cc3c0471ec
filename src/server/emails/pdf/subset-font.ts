import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The exports of HarfBuzz's subsetter that are used here; pointers are numbers. */
interface Subsetter {
  memory: WebAssembly.Memory
  malloc(bytes: number): number
  free(pointer: number): void
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number
  hb_blob_destroy(blob: number): void
  hb_blob_get_data(blob: number, length: number): number
  hb_blob_get_length(blob: number): number
  hb_face_create(blob: number, index: number): number
  hb_face_destroy(face: number): void
  hb_face_reference_blob(face: number): number
  hb_set_add(set: number, value: number): void
  hb_subset_input_create_or_fail(): number
  hb_subset_input_destroy(input: number): void
  hb_subset_input_pin_axis_location(input: number, face: number, tag: number, value: number): number
  hb_subset_input_unicode_set(input: number): number
  hb_subset_or_fail(face: number, input: number): number
  _initialize?(): void
}

const WRITABLE = 2
/** 'wght' as a HarfBuzz tag. */
const WEIGHT_AXIS = 0x77676874

let loading: Promise<Subsetter> | null = null

function load(): Promise<Subsetter> {
  loading ??= readFile(require.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm'))
    .then((bytes) => WebAssembly.instantiate(bytes))
    .then(({ instance }) => {
      const subsetter = instance.exports as unknown as Subsetter
      subsetter._initialize?.()
      return subsetter
    })
    .catch((error: unknown) => {
      loading = null
      throw error
    })
  return loading
}

/** Subsets a font to these characters, with the layout rules they need. A variable font is pinned to this weight. */
export async function subsetFont(font: Buffer, codePoints: Iterable<number>, weight: number): Promise<Uint8Array> {
  const hb = await load()
  const data = hb.malloc(font.length)
  new Uint8Array(hb.memory.buffer).set(font, data)
  const blob = hb.hb_blob_create(data, font.length, WRITABLE, 0, 0)
  const face = hb.hb_face_create(blob, 0)
  hb.hb_blob_destroy(blob)
  const input = hb.hb_subset_input_create_or_fail()
  try {
    const set = hb.hb_subset_input_unicode_set(input)
    for (const codePoint of codePoints) hb.hb_set_add(set, codePoint)
    // A no-op for a static font.
    hb.hb_subset_input_pin_axis_location(input, face, WEIGHT_AXIS, weight)
    const subset = hb.hb_subset_or_fail(face, input)
    if (subset === 0) throw new Error('The font could not be subset to the characters of a document.')
    const result = hb.hb_face_reference_blob(subset)
    const start = hb.hb_blob_get_data(result, 0)
    const bytes = new Uint8Array(hb.memory.buffer).slice(start, start + hb.hb_blob_get_length(result))
    hb.hb_blob_destroy(result)
    hb.hb_face_destroy(subset)
    return bytes
  } finally {
    hb.hb_subset_input_destroy(input)
    hb.hb_face_destroy(face)
    hb.free(data)
  }
}
