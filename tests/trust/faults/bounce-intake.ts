import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SESSION_SECRET, type World } from '../site.ts'
import { TREE } from './processes.ts'

/** Postfix runs no program as root. */
const USER = 'daemon'
const NOWHERE = 'postgres://no-one@127.0.0.1:9/nowhere'

/** `association-admin newsletter bounce` of this tree, as the mail server runs it on a server; keeps a copy of each bounce. */
export class BounceIntake {
  readonly #folder = mkdtempSync(join(tmpdir(), 'association-bounces-'))

  constructor() {
    const received = join(this.#folder, 'received')
    mkdirSync(received)
    chmodSync(this.#folder, 0o755)
    chmodSync(received, 0o777)
    writeFileSync(
      this.#program,
      [
        '#!/bin/sh',
        `copy=$(mktemp ${received}/XXXXXXXX) && cat > "$copy" || exit 75`,
        `export ASSOCIATION_HOME=${TREE} ASSOCIATION_SETTINGS=${this.#settings} ASSOCIATION_USER=${USER}`,
        `exec ${join(TREE, 'deploy', 'association-admin')} "$@" < "$copy"`,
        '',
      ].join('\n'),
      { mode: 0o755 },
    )
  }

  /** Why it cannot run here; null if it can. */
  static obstacle(): string | null {
    const { status } = spawnSync('runuser', ['-u', USER, '--', 'test', '-r', join(TREE, 'package.json')])
    return status === 0 ? null : `the account "${USER}" cannot read this folder`
  }

  /** The documented service of Postfix with the user and the program of this machine. */
  adapt(service: string): string {
    return service
      .replace('user=association ', `user=${USER} `)
      .replace('/usr/local/sbin/association-admin', this.#program)
  }

  /** From now on bounces are recorded in the database of a site. */
  connect({ databaseUrl, directory, siteUrl, standinsUrl, smtpPort }: World, { isDatabaseAway = false } = {}): void {
    // The site of a row runs as another user.
    execFileSync('chmod', ['-R', 'a+rwX', directory])
    const settings = {
      DATABASE_URL: isDatabaseAway ? NOWHERE : databaseUrl,
      DATA_DIR: directory,
      SITE_URL: siteUrl,
      STANDINS_URL: standinsUrl,
      SMTP_STANDIN_PORT: String(smtpPort),
      SESSION_SECRET,
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`)
    writeFileSync(this.#settings, lines.join(''), { mode: 0o644 })
  }

  /** Each bounce message that came; one that was tried again is there more than once. */
  get received(): string[] {
    const folder = join(this.#folder, 'received')
    return readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  }

  remove(): void {
    if (existsSync(this.#folder)) rmSync(this.#folder, { recursive: true, force: true })
  }

  get #program(): string {
    return join(this.#folder, 'record-bounce')
  }

  get #settings(): string {
    return join(this.#folder, 'site.env')
  }
}
