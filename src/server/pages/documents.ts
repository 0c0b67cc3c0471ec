import { CLOSED_POLICY, securityHeaders } from '../http/security-headers.ts'
import { type Answer, createAnswer } from './answer.ts'

/** What is not a page, but made of content like one: a calendar, a feed, the sitemap. */
export interface ContentDocument {
  contentType: string
  text: string
  /** Offered as the name when a browser saves it. */
  fileName?: string
}

/** null for a path that names no document. */
export type FindDocument = (path: string) => ContentDocument | null

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
  return createAnswer({
    status: 200,
    contentType,
    body: Buffer.from(text),
    headers: [
      ...securityHeaders({ siteUrl }),
      ['content-security-policy', CLOSED_POLICY],
      ['cache-control', FOR_A_QUARTER_HOUR],
      ...(fileName ? [['content-disposition', `attachment; filename="${fileName}"`] as [string, string]] : []),
    ],
    compressible: false,
  })
}
