import { createHmac, generateKeyPairSync, sign as signWithKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { createSecrets, type Purpose } from '#server/lib/secrets.ts'
import { newPerson, Visitor } from '#tests/trust/people.ts'
import { request } from '#tests/trust/http.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { SESSION_SECRET, type World } from '#tests/trust/site.ts'

type Claims = Record<string, unknown>

export const row: TrustRow = {
  id: 'T20',
  promise: 'Forged tokens',
  gate: true,
  target: '30 forgeries, 1,000 byte mutations, other-purpose tokens, expiry edge +-1 s, clock skew 10 min: 0 accepted',
  quick: true,
  async run({ world: start, count, random }) {
    const mutations = count(1_000, 150)
    const world = await start()
    const member = new Visitor(world)
    await member.join(newPerson())
    const genuine = member.token ?? ''
    const other = new Visitor(world)
    await other.join(newPerson({ levelKey: 'medical_student' }))
    const faults = new Faults()
    const control = await accepts(world, genuine)
    faults.expect(control === 200, 'genuine token refused', String(control))

    const forgeries = [
      ...(await forge(world, genuine, other.token ?? '')),
      ...(await atTheEdge(world, genuine)),
      ...(await ofOtherPurposes(world, genuine)),
    ]
    const statuses = await inParallel(forgeries, 10, async ({ kind, token }) => {
      const status = await accepts(world, token)
      faults.expect(status === 401, `${kind} answered ${status}`)
      return status
    })

    const mutated = Array.from({ length: mutations }, () => mutate(genuine, random))
    const responses = await inParallel(mutated, 20, async (token) => {
      const status = await accepts(world, token)
      faults.expect(status === 401, `mutation answered ${status}`, token.slice(-60))
      return status
    })
    faults.expect((await accepts(world, genuine)) === 200, 'genuine token refused at the end')
    const accepted = [...statuses, ...responses].filter((status) => status < 400).length
    return {
      passed: faults.count === 0,
      reached: `${accepted} accepted of ${forgeries.length} forgeries and ${mutated.length} mutations (${tally([...statuses, ...responses])}); genuine ${control}; faults: ${faults}`,
    }
  },
}

async function accepts(world: World, token: string): Promise<number> {
  const { status } = await request(world.site.origin, {
    path: '/api/account/profile',
    headers: { authorization: `Bearer ${token}` },
  })
  return status
}

function parts(token: string): { header: Claims; claims: Claims; signature: string } {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims
  return { header: read(header), claims: read(claims), signature }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Signs like the site, with the site's own key, which the row knows; for claims that no genuine token has. */
async function signed(header: Claims, claims: Claims, purpose: Purpose = 'session-token'): Promise<string> {
  const key = createSecrets(SESSION_SECRET).key(purpose)
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', ...header }).sign(key)
}

async function forge(world: World, genuine: string, others: string) {
  const { header, claims, signature } = parts(genuine)
  const foreign = parts(others).claims
  const unsigned = (alg: string) => `${encode({ ...header, alg })}.${encode(claims)}.`
  const withKey = (key: string) => {
    const text = `${encode(header)}.${encode(claims)}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const rsaText = `${encode({ ...header, alg: 'RS256' })}.${encode(claims)}`
  const jwkText = `${encode({ ...header, jwk: publicKey.export({ format: 'jwk' }), alg: 'RS256' })}.${encode(claims)}`
  const rightlySigned = (changed: Claims, hash = 'sha256') => {
    const text = `${encode(changed)}.${encode(claims)}`
    const key = createSecrets(SESSION_SECRET).key('session-token')
    return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
  }
  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
  const list: [string, string | Promise<string>][] = [
    ['alg none', unsigned('none')],
    ['alg None', unsigned('None')],
    ['alg NONE with signature', `${encode({ ...header, alg: 'NONE' })}.${encode(claims)}.${signature}`],
    ['no alg', `${encode({ typ: header['typ'] })}.${encode(claims)}.${signature}`],
    ['empty signature', `${encode(header)}.${encode(claims)}.`],
    ['no signature part', `${encode(header)}.${encode(claims)}`],
    ['empty key', withKey('')],
    ['key "secret"', withKey('secret')],
    ['key is the raw secret', withKey(SESSION_SECRET)],
    ['key is the site address', withKey(world.siteUrl)],
    ['HS384', rightlySigned({ ...header, alg: 'HS384' }, 'sha384')],
    ['HS512', rightlySigned({ ...header, alg: 'HS512' }, 'sha512')],
    ['RS256', `${rsaText}.${signWithKey('sha256', Buffer.from(rsaText), privateKey).toString('base64url')}`],
    [
      'own key in the header',
      `${jwkText}.${signWithKey('sha256', Buffer.from(jwkText), privateKey).toString('base64url')}`,
    ],
    ['kid path', withKey('').replace(encode(header), encode({ ...header, kid: '../../dev/null' }))],
    ['unknown critical extension', rightlySigned({ ...header, crit: ['x-trust'], 'x-trust': true })],
    ['claims of another, same signature', `${encode(header)}.${encode(foreign)}.${signature}`],
    ['sub of another', signed(header, { ...claims, sub: foreign['sub'] })],
    ['sid of another', signed(header, { ...claims, sid: foreign['sid'] })],
    ['sid unknown', signed(header, { ...claims, sid: 'no-such-session' })],
    ['sub unknown', signed(header, { ...claims, sub: 'no-such-account' })],
    ['older version', signed(header, { ...claims, ver: Number(claims['ver']) - 1 })],
    ['newer version', signed(header, { ...claims, ver: Number(claims['ver']) + 1 })],
    ['version as text', signed(header, { ...claims, ver: String(claims['ver']) })],
    ['other issuer', signed(header, { ...claims, iss: 'https://evil.example' })],
    ['other audience', signed(header, { ...claims, aud: 'officers' })],
    ['other type', signed({ ...header, typ: 'JWT' }, claims)],
    ['no type', signed({}, claims)],
    ...['sub', 'sid', 'ver', 'iss', 'aud', 'exp', 'iat'].map(
      (name) => [`without ${name}`, signed(header, without(name))] as [string, Promise<string>],
    ),
    ['not before in ten minutes', signed(header, { ...claims, nbf: Math.floor(Date.now() / 1_000) + 600 })],
    ['unused bits of the last character', genuine.slice(0, -1) + twinOf(genuine.slice(-1))],
    ['padded', `${genuine}=`],
    ['two tokens', `${genuine}.${genuine}`],
    ['an array for sid', signed(header, { ...claims, sid: [claims['sid']] })],
    ['an object for sub', signed(header, { ...claims, sub: { $ne: null } })],
  ]
  return Promise.all(list.map(async ([kind, token]) => ({ kind, token: await token })))
}

/** One second and ten minutes after expiry; one second before it must still be valid, or the edge was missed. */
async function atTheEdge(world: World, genuine: string) {
  const { header, claims } = parts(genuine)
  const now = Math.floor(Date.now() / 1_000)
  const until = (exp: number) => signed(header, { ...claims, exp })
  const alive = await until(now + 2)
  if ((await accepts(world, alive)) !== 200) throw new Error('A token with a second left is refused')
  return [
    { kind: 'expired a second ago', token: await until(now - 1) },
    { kind: 'expired this second', token: await until(now) },
    { kind: 'expired ten minutes ago', token: await until(now - 600) },
    {
      kind: 'expiry as text',
      token: await signed(header, { ...claims, exp: '9999999999' }).catch(() => 'x.y.z'),
    },
  ]
}

/** Tokens of the site for other purposes: cookies, links, codes, and sessions signed with their keys. */
async function ofOtherPurposes(world: World, genuine: string) {
  const secrets = createSecrets(SESSION_SECRET)
  const { header, claims } = parts(genuine)
  const purposes: Purpose[] = [
    'verification-link',
    'verification-code',
    'password-reset',
    'checkout-nonce',
    'cookie',
    'address-hash',
  ]
  const visitor = new Visitor(world)
  const person = newPerson()
  await visitor.register(person)
  const link = await world.mailbox.link(person.email, '/email-verification')
  return [
    ...purposes.map((purpose) => ({ kind: `${purpose} token`, token: secrets.token(purpose, String(claims['sid'])) })),
    ...(await Promise.all(
      purposes.map(async (purpose) => ({
        kind: `session signed for ${purpose}`,
        token: await signed(header, claims, purpose),
      })),
    )),
    { kind: 'verification link', token: link.searchParams.get('token') ?? '' },
    { kind: 'registration cookie', token: visitor.cookies.get('registration') ?? '' },
  ]
}

/** The last of 43 characters carries four bits: several characters decode to the same bytes. */
function twinOf(character: string): string {
  const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return base64url[base64url.indexOf(character) ^ 1] ?? ''
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~+/='

/** One to three characters changed, removed or added. */
function mutate(genuine: string, random: Random): string {
  let token = genuine
  for (let times = random.between(1, 3); times > 0; times--) {
    const at = random.between(0, token.length - 1)
    const kept = random.chance(0.6) ? 1 : random.between(0, 2)
    token = token.slice(0, at) + random.pick([...ALPHABET]) + token.slice(at + kept)
  }
  return token === genuine ? mutate(genuine, random) : token
}
