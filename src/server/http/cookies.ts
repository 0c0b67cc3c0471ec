import { equalSecrets, type Secrets } from '../platform/secrets.ts'

/** Cookies that prove something to us; all HttpOnly, SameSite=Lax, signed, and Secure where the site is https. */
export type CookieName = 'registration' | 'grant' | 'checkout' | 'known_browser'

export interface CookieJar {
  /** The value we once set, null when absent, altered or past its time. */
  read(header: string | undefined, name: CookieName, now: number): string | null
  /** A Set-Cookie header for a value that holds for `maxAgeSeconds`. */
  write(name: CookieName, value: string, maxAgeSeconds: number, now: number): string
}

// Cookie headers longer than this are somebody's attack, not our four cookies.
const MAX_HEADER = 8_192

export function createCookieJar(secrets: Secrets, siteUrl: string): CookieJar {
  const attributes = `Path=/api; HttpOnly; SameSite=Lax${siteUrl.startsWith('https:') ? '; Secure' : ''}`
  const seal = (name: CookieName, value: string, expires: string) =>
    secrets.sign('cookie', `${name}|${value}|${expires}`)

  return {
    read(header, name, now) {
      if (!header || header.length > MAX_HEADER) return null
      for (const part of header.split(';')) {
        const separator = part.indexOf('=')
        if (part.slice(0, separator).trim() !== name) continue
        const [value = '', expires = '', seal_ = ''] = part
          .slice(separator + 1)
          .trim()
          .split('.')
        if (equalSecrets(seal_, seal(name, value, expires)) && Number(expires) > now) return value
      }
      return null
    },
    write(name, value, maxAgeSeconds, now) {
      const expires = String(now + maxAgeSeconds * 1_000)
      return `${name}=${value}.${expires}.${seal(name, value, expires)}; Max-Age=${maxAgeSeconds}; ${attributes}`
    },
  }
}
