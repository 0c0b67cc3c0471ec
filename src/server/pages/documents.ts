import { CLOSED_POLICY, securityHeaders } from '../http/security-headers.ts'
import { addBrotli, type Answer, type Content, createAnswer } from './answer.ts'
import { gzip } from './encodings.ts'

/** What is not a page, but made of content like one: a calendar, a feed, the sitemap. */
export interface ContentDocument {
  contentType: string
  text: string
  /** Offered as the name when a browser saves it. */
  fileName?: string
}

/** null for a path that names no document. */
export type FindDocument = (path: string) => ContentDocument | null

/** Smaller ones fit into a few packets anyway. */
const COMPRESSED_FROM = 4 * 1024
const FOR_A_QUARTER_HOUR = 'public, max-age=900'

/** Finished answers, made once a generation of content. */
export function createDocumentServer(
  { find, siteUrl }: { find: FindDocument; siteUrl: string },
  generation: () => number,
): (path: string) => Answer | null {
  let madeFor = -1
  let made = new Map<string, Answer>()

  return (path) => {
    const now = generation()
    if (now !== madeFor) made = new Map()
    madeFor = now
    const ready = made.get(path)
    if (ready) return ready
    const document = find(path)
    if (!document) return null
    const answer = answerOf(document, siteUrl)
    made.set(path, answer)
    return answer
  }
}

function answerOf({ contentType, text, fileName }: ContentDocument, siteUrl: string): Answer {
  const body = Buffer.from(text)
  const content: Content = {
    status: 200,
    contentType,
    body,
    headers: [
      ...securityHeaders({ siteUrl }),
      ['content-security-policy', CLOSED_POLICY],
      ['cache-control', FOR_A_QUARTER_HOUR],
      ...(fileName ? [['content-disposition', `attachment; filename="${fileName}"`] as [string, string]] : []),
    ],
    compressible: body.length >= COMPRESSED_FROM,
  }
  if (!content.compressible) return createAnswer(content)
  const answer = createAnswer({ ...content, gzip: gzip(body) })
  // Without it the next best form goes on being sent.
  addBrotli(answer, content).catch(() => {})
  return answer
}
