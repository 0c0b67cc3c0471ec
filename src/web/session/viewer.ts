import { viewToken } from '#web/api/view-token.ts'
import { signOut, useSession } from './session.ts'

/** Who is looking at the page. The server renders every viewer as unknown, which looks like anonymous. */
export interface Viewer {
  status: 'unknown' | 'anonymous' | 'member'
  username?: string
  /** True while an officer views the site as this member, and after the view has ended until the officer leaves. */
  isMemberView: boolean
  signOut(): void
}

export function useViewer(): Viewer {
  const { status, user } = useSession()
  const isView = status !== 'unknown' && viewToken() !== null
  return { status, ...(user && { username: user.username }), isMemberView: isView, signOut }
}
