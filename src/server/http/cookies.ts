import { equalSecrets, type Secrets } from '#server/lib/secrets.ts'

/** Our cookies: HttpOnly, SameSite=Lax, signed, and Secure if the site uses https. */
export type CookieName = 'registration' | 'grant' | 'checkout' | 'known_browser' | 'setup' | 'demo_guest'

/** Pages need it too: it opens a site that is being set up. */
const ON_PAGES: readonly CookieName[] = ['setup']

export interface CookieJar {
  /** Returns the value we set; null when the cookie is missing, altered or expired. */
  read(header: string | undefined, name: CookieName, now: number): string | null
  /** Returns a Set-Cookie header for a value valid for `maxAgeSeconds`. */
  write(name: CookieName, value: string, maxAgeSeconds: number, now: number): string
}

// Our cookies are much shorter; a longer header is an attack.
const MAX_HEADER_LENGTH = 8_192

export function createCookieJar(secrets: Secrets, siteUrl: string): CookieJar {
  const attributes = `HttpOnly; SameSite=Lax${siteUrl.startsWith('https:') ? '; Secure' : ''}`
  const seal = (name: CookieName, value: string, expires: string) =>
    secrets.sign('cookie', `${name}|${value}|${expires}`)

  return {
    read(header, name, now) {
      if (!header || header.length > MAX_HEADER_LENGTH) return null
      for (const part of header.split(';')) {
        const separator = part.indexOf('=')
        if (part.slice(0, separator).trim() !== name) continue
        const [value = '', expires = '', givenSeal = ''] = part
          .slice(separator + 1)
          .trim()
          .split('.')
        if (equalSecrets(givenSeal, seal(name, value, expires)) && Number(expires) > now) return value
      }
      return null
    },
    write(name, value, maxAgeSeconds, now) {
      const expires = String(now + maxAgeSeconds * 1_000)
      return `${name}=${value}.${expires}.${seal(name, value, expires)}; Max-Age=${maxAgeSeconds}; Path=${ON_PAGES.includes(name) ? '/' : '/api'}; ${attributes}`
    },
  }
}
