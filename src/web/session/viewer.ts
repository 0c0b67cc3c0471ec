import { viewToken } from '#web/api/view-token.ts'
import { signOut, useSession } from './session.ts'

/** Who is looking at the page. The server renders everybody as unknown, which looks like anonymous. */
export interface Viewer {
  status: 'unknown' | 'anonymous' | 'member'
  username?: string
  /** An officer sees the site as this member does; stays true when the view is over, until the officer leaves. */
  isView: boolean
  signOut(): void
}

export function useViewer(): Viewer {
  const { status, user } = useSession()
  const isView = status !== 'unknown' && viewToken() !== null
  return { status, ...(user && { username: user.username }), isView, signOut }
}
