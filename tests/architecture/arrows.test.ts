import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..', '..')

const BY_NAME = 'Leave a folder by its name'
const CONTRACT = 'The contract imports nothing of ours'
const TYPES_ONLY = 'The browser takes only types from the server'
const API = 'api/ carries calls'
const UI = 'ui/ knows no subject'
const UI_ENDPOINT = 'ui/ knows no endpoint'
const FEATURE = 'a feature knows no page'
const WEB_ALONE = 'Pages know nothing of stand-ins and tests'
const SERVER = 'The server imports the contract and itself'
const PURE = 'Rules are pure'
const REPOSITORY = 'A repository speaks to the database alone'
const SERVICE = 'A service knows nothing of HTTP'
const ROUTES = 'Routes ask a service'
const STANDINS = 'Stand-ins import nothing from src'
const ENVIRONMENT = 'Only src/server/config reads the environment'
const CLOCK = 'Rules have no clock'

const FEATURE_FOLDER = 'src/server/features/contact'

/** A file with one line that goes against an arrow, and the beginning of the sentence that says so. */
const FORBIDDEN: [file: string, line: string, sentence: string][] = [
  ['src/contract/contact.ts', "import '#server/app.ts'", CONTRACT],
  ['src/contract/contact.ts', "import type { Page } from '#web/app/routes.ts'", CONTRACT],
  ['src/contract/contact.ts', "import '../server/app.ts'", BY_NAME],
  ['src/web/pages/home.tsx', "import { app } from '#server/app.ts'", TYPES_ONLY],
  ['src/web/pages/home.tsx', "import '#standins/standins.ts'", WEB_ALONE],
  ['src/web/app/frame.tsx', "import '#tests/support/test-app.ts'", WEB_ALONE],
  ['src/web/app/frame.tsx', "const app = await import('#server/app.ts')", TYPES_ONLY],
  ['src/web/root.tsx', "import '../server/app.ts'", BY_NAME],
  ['src/web/features/contact/contact-form.tsx', "import '#web/pages/contact.tsx'", FEATURE],
  ['src/web/features/contact/contact-form.tsx', "import '#server/app.ts'", TYPES_ONLY],
  ['src/web/features/contact/contact-form.tsx', "import '../../ui/button.tsx'", BY_NAME],
  ['src/web/features/contact/contact.rules.ts', "import { call } from '#web/api/call.ts'", PURE],
  ['src/web/features/contact/contact.rules.ts', "import { useState } from 'react'", PURE],
  ['src/web/ui/field.tsx', "import '#web/features/contact/contact-form.tsx'", UI],
  ['src/web/ui/field.tsx', "import '../pages/home.tsx'", UI],
  ['src/web/ui/field.tsx', "import '#web/app/paths.ts'", UI],
  ['src/web/ui/field.tsx', "import '#web/api/call.ts'", UI],
  ['src/web/ui/field.tsx', "import { contact } from '#contract/contact.ts'", UI_ENDPOINT],
  ['src/web/ui/field.tsx', "import '#server/app.ts'", TYPES_ONLY],
  ['src/web/api/call.ts', "import '#web/features/auth/session.ts'", API],
  ['src/server/app.ts', "import '#web/app/routes.ts'", SERVER],
  ['src/server/app.ts', "import '#standins/standins.ts'", SERVER],
  ['src/server/app.ts', "import '#tests/support/test-app.ts'", SERVER],
  ['src/server/app.ts', "import '../web/root.tsx'", BY_NAME],
  [`${FEATURE_FOLDER}/contact.routes.ts`, "import '../../http/serve.ts'", BY_NAME],
  [`${FEATURE_FOLDER}/contact.routes.ts`, "import { save } from './contact.repository.ts'", ROUTES],
  [`${FEATURE_FOLDER}/contact.routes.ts`, "import { openDatabase } from '#server/db/open-database.ts'", ROUTES],
  [`${FEATURE_FOLDER}/contact.routes.ts`, "import '#web/root.tsx'", SERVER],
  [`${FEATURE_FOLDER}/contact.service.ts`, "import { contactRoutes } from './contact.routes.ts'", SERVICE],
  [`${FEATURE_FOLDER}/contact.service.ts`, "import { serve } from '#server/http/serve.ts'", SERVICE],
  [`${FEATURE_FOLDER}/contact.service.ts`, "import '#web/root.tsx'", SERVER],
  [`${FEATURE_FOLDER}/contact.repository.ts`, "import { createContact } from './contact.service.ts'", REPOSITORY],
  [`${FEATURE_FOLDER}/contact.repository.ts`, "import { routes } from './contact.routes.ts'", REPOSITORY],
  [`${FEATURE_FOLDER}/contact.repository.ts`, "import { serve } from '#server/http/serve.ts'", REPOSITORY],
  [`${FEATURE_FOLDER}/contact.repository.ts`, "import '#web/root.tsx'", SERVER],
  [`${FEATURE_FOLDER}/contact.rules.ts`, "import { save } from './contact.repository.ts'", PURE],
  [`${FEATURE_FOLDER}/contact.rules.ts`, "import { openDatabase } from '#server/db/open-database.ts'", PURE],
  [`${FEATURE_FOLDER}/contact.rules.ts`, "import { readFile } from 'node:fs/promises'", PURE],
  [`${FEATURE_FOLDER}/contact.rules.ts`, 'export const now = Date.now()', CLOCK],
  [`${FEATURE_FOLDER}/contact.rules.ts`, "import '#web/root.tsx'", SERVER],
  [`${FEATURE_FOLDER}/contact.service.ts`, 'export const port = process.env.PORT', ENVIRONMENT],
  ['src/web/app/frame.tsx', 'export const mode = process.env.NODE_ENV', ENVIRONMENT],
  ['standins/standins.ts', "import '#contract/contact.ts'", STANDINS],
  ['standins/standins.ts', "import '#server/app.ts'", STANDINS],
  ['standins/standins.ts', "import '../src/server/app.ts'", BY_NAME],
  ['standins/stripe/api.ts', "import '../../src/server/app.ts'", BY_NAME],
  ['tests/e2e/join.test.ts', "import '../../src/server/app.ts'", BY_NAME],
]

const ALLOWED: [file: string, line: string][] = [
  ['src/contract/contact.ts', "import { emailField } from './fields.ts'"],
  ['src/web/pages/home.tsx', "import type { PageServices } from '#server/pages/page-services.ts'"],
  ['src/web/pages/home.tsx', "import { ContactForm } from '#web/features/contact/contact-form.tsx'"],
  ['src/web/features/contact/contact-form.tsx', "import { sendMessage } from '#contract/contact.ts'"],
  ['src/web/ui/price.tsx', "import { formatMoney } from '#contract/money.ts'"],
  ['src/server/app.ts', "import { errors } from '#contract/errors.ts'"],
  [`${FEATURE_FOLDER}/contact.routes.ts`, "import { createContact } from './contact.service.ts'"],
  [`${FEATURE_FOLDER}/contact.service.ts`, "import { save } from './contact.repository.ts'"],
  [`${FEATURE_FOLDER}/contact.rules.ts`, "import { limits } from '#contract/limits.ts'"],
  [`${FEATURE_FOLDER}/contact.rules.ts`, "import { isSpam } from './spam.rules.ts'"],
  [`${FEATURE_FOLDER}/contact.test.ts`, "import { createTestApp } from '#tests/support/test-app.ts'"],
  ['src/server/config/config.ts', 'export const port = process.env.PORT'],
]

interface Finding {
  filename: string
  help?: string
}

let folder: string
let findings: Map<string, string[]>

// One run over all planted files, in a folder that mirrors ours, since the arrows go by path.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'arrows-'))
  const configuration = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as object
  writeFileSync(
    join(folder, '.oxlintrc.json'),
    JSON.stringify({ ...configuration, $schema: undefined, options: { typeAware: false } }),
  )
  for (const [place, [file, line]] of [...FORBIDDEN, ...ALLOWED].entries()) plant(planted(file, place), line)
  findings = lint()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(FORBIDDEN.map((entry, place) => [...entry, place] as const))(
  '%s may not say %s',
  (file, _line, sentence, place) => {
    expect(findings.get(planted(file, place))).toEqual([expect.stringContaining(sentence)])
  },
)

test.each(ALLOWED.map((entry, place) => [...entry, FORBIDDEN.length + place] as const))(
  '%s may say %s',
  (file, _line, place) => {
    expect(findings.get(planted(file, place)) ?? []).toEqual([])
  },
)

/** Beside the file of that name, with an ending that still matches: contact.rules.ts becomes contact-3.rules.ts. */
function planted(file: string, place: number): string {
  return file.replace(/\/([\w-]+)\.([^/]+)$/, `/$1-${place}.$2`)
}

function plant(file: string, line: string): void {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${line}\n`)
}

function lint(): Map<string, string[]> {
  const program = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint')
  const { stdout } = run(program, ['--format', 'json'])
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: (Finding & { code: string })[] }
  const found = new Map<string, string[]>()
  for (const { filename, help = '', code } of diagnostics) {
    if (!code.includes('no-restricted-')) continue
    found.set(filename, [...(found.get(filename) ?? []), help])
  }
  return found
}

/** oxlint ends with status 1 when it finds something, which is what we want here. */
function run(program: string, args: string[]): { stdout: string } {
  try {
    return { stdout: execFileSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' }) }
  } catch (error) {
    return error as { stdout: string }
  }
}
