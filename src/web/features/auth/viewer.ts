import { signOut, useSession } from './session.ts'

/** Who is looking at the page. The server renders everybody as unknown, which looks like anonymous. */
export interface Viewer {
  status: 'unknown' | 'anonymous' | 'member'
  username?: string
  signOut(): void
}

export function useViewer(): Viewer {
  const { status, user } = useSession()
  return { status, ...(user && { username: user.username }), signOut }
}
