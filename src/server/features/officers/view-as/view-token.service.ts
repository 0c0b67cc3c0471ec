import { decodeProtectedHeader } from 'jose'
import type { Secrets } from '#server/platform/secrets.ts'
import { createSignedTokens } from '#server/platform/signed-token.ts'

/** What a view's token says: which view, whose site, and the officer's token version when it was opened. */
export interface ViewClaims {
  viewingId: string
  accountId: string
  officerVersion: number
  /** Epoch milliseconds. */
  expiresAt: number
}

export interface ViewTokens {
  write(claims: ViewClaims, now: number): Promise<string>
  /** null unless everything fits. */
  read(token: string, now: number): Promise<ViewClaims | null>
}

const TYPE = 'view+jwt'

/** Whether a token says of itself that it is a view's. Nothing is checked: a forged one may change as little as a true one. */
export function isViewToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === TYPE
  } catch {
    return false
  }
}

export function createViewTokens(secrets: Secrets, siteUrl: string): ViewTokens {
  const tokens = createSignedTokens({
    key: secrets.key('view-token'),
    issuer: siteUrl,
    audience: 'views',
    type: TYPE,
    claims: ['vid', 'ver'],
  })
  return {
    write: ({ viewingId, accountId, officerVersion, expiresAt }, now) =>
      tokens.write({ sub: accountId, vid: viewingId, ver: officerVersion }, { now, expiresAt }),
    async read(token, now) {
      const said = await tokens.read(token, now)
      if (!said) return null
      const { sub, vid, ver, exp } = said
      if (typeof vid !== 'string' || typeof ver !== 'number') return null
      return { accountId: sub, viewingId: vid, officerVersion: ver, expiresAt: exp * 1_000 }
    },
  }
}
