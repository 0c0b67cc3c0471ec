import type { Clock } from './clock.ts'
import type { Dropped, HttpReply, HttpRequest } from './http.ts'
import { json, postedFields } from './http.ts'
import type { Faults } from './faults.ts'
import { performWith } from './faults.ts'
import { newId } from './ids.ts'
import type { Store } from './store.ts'

const BOT_SITE_KEY = 'standin-site-key'
const BOT_SECRET = 'standin-secret'

const DEFAULT_SCORE = 0.9
const TOKEN_LIFE_MS = 120_000
/** How long used tokens are stored, so that a second use is reported as a duplicate. */
const FORGET_AFTER_MS = 600_000
const ANY_ORIGIN = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' }

type Token = { id: string; action: string; score: number; hostname: string; madeAt: number; used: boolean }

export type BotCheck = {
  serve(request: HttpRequest): HttpReply | Promise<HttpReply | Dropped>
  /** Applies to tokens created from now on. */
  setScore(score: number): void
  resetScore(): void
  createToken(action: string, score?: number): string
  deleteExpired(): void
}

type BotCheckParts = { store: Store; clock: Clock; faults: Faults; hostname: string }

/** Implements reCAPTCHA v3. Faults affect only the site's verification call: a browser always gets a token. */
export function createBotCheck({ store, clock, faults, hostname }: BotCheckParts): BotCheck {
  const tokens = store.collection<Token>('botTokens')
  let currentScore = DEFAULT_SCORE

  function createToken(action: string, score = currentScore, host = hostname): string {
    const id = newId('03A', 80)
    tokens.put({ id, action, score, hostname: host, madeAt: clock.now(), used: false })
    return id
  }

  function answerToken({ query, headers }: HttpRequest): HttpReply {
    const action = query.get('action') ?? ''
    const requested = query.get('score')
    const score = requested === null ? currentScore : Number(requested)
    if (!/^[A-Za-z_/]+$/.test(action)) {
      return json(400, { error: 'An action may contain only letters, underscores and slashes.' }, ANY_ORIGIN)
    }
    if (!(score >= 0 && score <= 1)) return json(400, { error: 'A score must be between 0 and 1.' }, ANY_ORIGIN)
    const origin = headers.origin
    const host = origin && URL.canParse(origin) ? new URL(origin).hostname : hostname
    return json(200, { token: createToken(action, score, host) }, ANY_ORIGIN)
  }

  function verify(request: HttpRequest): HttpReply {
    const { secret, response } = { ...Object.fromEntries(request.query), ...postedFields(request) }
    const errors = [
      ...(secret ? (secret === BOT_SECRET ? [] : ['invalid-input-secret']) : ['missing-input-secret']),
      ...(response ? [] : ['missing-input-response']),
    ]
    if (errors.length > 0) return refused(errors)
    const token = tokens.get(response!)
    if (!token) return refused(['invalid-input-response'])
    if (token.used || token.madeAt + TOKEN_LIFE_MS <= clock.now()) return refused(['timeout-or-duplicate'])
    tokens.put({ ...token, used: true })
    const { action, score } = token
    const challenged = new Date(token.madeAt).toISOString().replace(/\.\d+Z$/, 'Z')
    return json(200, { success: true, challenge_ts: challenged, hostname: token.hostname, score, action })
  }

  return {
    createToken,
    setScore(score) {
      currentScore = score
    },
    resetScore() {
      currentScore = DEFAULT_SCORE
    },
    serve(request) {
      const name = `${request.method} ${request.path}`
      if (name === 'GET /recaptcha/token') return answerToken(request)
      if (name === 'GET /recaptcha/api.js') return script()
      if (name !== 'POST /recaptcha/api/siteverify') return json(404, { error: 'Not found.' })
      return performWith({
        request,
        fault: faults.consume('bot'),
        work: () => verify(request),
        error: () => json(500, { error: 'Internal error.' }),
        limited: () => json(429, { error: 'Too many requests.' }),
      })
    },
    deleteExpired() {
      const before = clock.now() - FORGET_AFTER_MS
      for (const token of tokens.all()) {
        if (token.madeAt > before) break
        tokens.remove(token.id)
      }
    },
  }
}

function refused(errors: string[]): HttpReply {
  return json(200, { success: false, 'error-codes': errors })
}

function script(): HttpReply {
  return {
    status: 200,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'private, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    },
    body: SCRIPT,
  }
}

/** Finds its own origin from the tag that loaded it. */
const SCRIPT = `(function () {
  'use strict'
  var address = new URL(document.currentScript.src)
  var siteKey = address.searchParams.get('render')
  function execute(key, options) {
    if (key !== siteKey || key !== '${BOT_SITE_KEY}') {
      return Promise.reject(new Error('Invalid site key or not loaded in api.js: ' + key))
    }
    var action = (options && options.action) || ''
    var url = new URL('/recaptcha/token', address)
    url.searchParams.set('action', action)
    return fetch(url, { cache: 'no-store', credentials: 'omit' })
      .then(function (response) { return response.json() })
      .then(function (reply) {
        if (!reply.token) throw new Error(reply.error || 'No token')
        return reply.token
      })
  }
  window.grecaptcha = {
    ready: function (callback) { setTimeout(callback, 0) },
    execute: execute
  }
})()
`
