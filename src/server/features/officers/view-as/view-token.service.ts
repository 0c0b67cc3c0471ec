import { decodeProtectedHeader } from 'jose'
import type { Secrets } from '#server/lib/secrets.ts'
import { createSignedTokens } from '#server/lib/signed-token.ts'

/** The claims of a view token: view, member, and the officer's token version when it was opened. */
export interface ViewClaims {
  viewingId: string
  accountId: string
  officerVersion: number
  /** Epoch milliseconds. */
  expiresAt: number
}

const TYPE = 'view+jwt'

/** Whether a token claims to be a view token. Does not verify it: a forged token gets no more access than a valid one. */
export function isViewToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === TYPE
  } catch {
    return false
  }
}

export function createViewTokens(secrets: Secrets, siteUrl: string) {
  const tokens = createSignedTokens({
    key: secrets.key('view-token'),
    issuer: siteUrl,
    audience: 'views',
    type: TYPE,
    claims: ['vid', 'ver'],
  })
  return {
    sign: ({ viewingId, accountId, officerVersion, expiresAt }: ViewClaims, now: number): Promise<string> =>
      tokens.write({ sub: accountId, vid: viewingId, ver: officerVersion }, { now, expiresAt }),
    /** Returns null if any check fails. */
    async verify(token: string, now: number): Promise<ViewClaims | null> {
      const payload = await tokens.read(token, now)
      if (!payload) return null
      const { sub, vid, ver, exp } = payload
      if (typeof vid !== 'string' || typeof ver !== 'number') return null
      return { accountId: sub, viewingId: vid, officerVersion: ver, expiresAt: exp * 1_000 }
    },
  }
}
