import { createRequire } from 'node:module'
import type Sharp from 'sharp'

const load = createRequire(import.meta.url)

/** The picture library, loaded when somebody first hands over a picture: a site that only shows them does without its 20 MB. */
export function sharp(...words: Parameters<typeof Sharp>): ReturnType<typeof Sharp> {
  return (load('sharp') as typeof Sharp)(...words)
}
