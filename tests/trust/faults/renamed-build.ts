import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'

const TEXTS = new Set(['.js', '.css', '.json', '.html'])

/**
 * A copy of a build with other names for its hashed files, like the build before or after it, in a separate folder: a site running either one lacks the
 * files of the other.
 */
export function makeOlderBuild(build: string): { directory: string; remove(): void } {
  // Next to the builds, since its server part resolves its packages from there.
  const folder = join(dirname(build), `trust-${process.pid}`)
  const directory = join(folder, basename(build))
  mkdirSync(folder, { recursive: true })
  cpSync(build, directory, { recursive: true })
  const assets = join(directory, 'client', 'assets')
  const scripts = readdirSync(assets).filter((name) => extname(name) === '.js')
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name)
    // Compressed before the names changed.
    if (/\.(?:gz|br)$/.test(name)) rmSync(file)
    else if (TEXTS.has(extname(name))) writeFileSync(file, withOlderNames(readFileSync(file, 'utf8'), scripts))
  }
  for (const name of scripts) renameSync(join(assets, name), join(assets, olderName(name)))
  return { directory, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function withOlderNames(text: string, scripts: readonly string[]): string {
  return scripts.reduce((so, name) => so.replaceAll(name, olderName(name)), text)
}

function olderName(name: string): string {
  return name.replace(/\.js$/, '.older.js')
}
