import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isNewer, releaseFile, type Release } from './release-file.ts'

const fileIn = (dataDirectory: string) => join(dataDirectory, 'newest-release.json')

/** Stores the release that was found, for the console of the running site. */
export async function storeRelease(dataDirectory: string, release: Release): Promise<void> {
  const file = fileIn(dataDirectory)
  await writeFile(`${file}.new`, JSON.stringify(release), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** The release that was found, if it is newer than the running one. */
export async function findNewerRelease(dataDirectory: string, runningVersion: string): Promise<Release | null> {
  const text = await readFile(fileIn(dataDirectory), 'utf8').catch(() => null)
  if (text === null) return null
  const release = releaseFile.parse(JSON.parse(text))
  return isNewer(release.version, runningVersion) ? release : null
}
