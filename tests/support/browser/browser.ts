import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const INSTALLED = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']

/** How to start a browser: its program and command line arguments. */
export interface BrowserProgram {
  executablePath: string
  args: string[]
}

/**
 * `CHROMIUM_PATH`, otherwise on 64-bit Linux the headless one from npm (the same on every machine, and more than twice as fast as a full browser),
 * elsewhere an installed Chromium or Chrome. The one from npm unpacks itself into the temporary folder: call it once before parallel tests.
 * @throws when `CHROMIUM_PATH` does not exist, or no browser starts on this system.
 */
export async function findBrowser(): Promise<BrowserProgram> {
  const named = process.env['CHROMIUM_PATH']
  if (named) {
    if (!existsSync(named))
      throw new Error(`CHROMIUM_PATH is ${named}, which is not there: correct it or leave it out.`)
    return { executablePath: named, args: QUIET }
  }
  if (process.platform === 'linux' && process.arch === 'x64') return browserFromNpm()
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = [...INSTALLED.flatMap((name) => folders.map((folder) => join(folder, name))), ...ELSEWHERE]
  const installed = candidates.find((file) => existsSync(file))
  if (installed) return { executablePath: installed, args: QUIET }
  throw new Error('No Chromium was found: install Chromium or Chrome, or name one in CHROMIUM_PATH.')
}

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ ...(await findBrowser()), headless: true })
}

async function browserFromNpm(): Promise<BrowserProgram> {
  // Read on import: includes the system libraries, which a bare container does not have.
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs22.x'
  const { default: packed } = await import('@sparticuz/chromium')
  // Its default arguments would disable web security and run everything in one process; tests need neither.
  return { executablePath: await packed.executablePath(), args: [...QUIET, '--disable-dev-shm-usage'] }
}
