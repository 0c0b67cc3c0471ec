import './platform/needed-node.ts'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { runCommand } from './admin/commands.ts'
import { ConfigError, readConfig } from './config/config.ts'

// `members list | head`: whoever has read enough is no fault, and what a command does is done to the end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

// As `npm start` does, so that both mean the same database; what the environment already says stays.
const settings = resolve(import.meta.dirname, '../../.env')
if (existsSync(settings)) process.loadEnvFile(settings)

try {
  const config = readConfig(process.env)
  process.env['NODE_ENV'] = 'production'
  process.exitCode = await runCommand(process.argv.slice(2), config, (line) => void process.stdout.write(`${line}\n`))
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : (error as Error).message}\n`)
  process.exitCode = 1
}
