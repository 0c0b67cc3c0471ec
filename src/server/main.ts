import './lib/required-node.ts'

// The outer NODE_ENV controls stand-ins and samples; React and React Router always run in production mode.
const { readConfig, ConfigError } = await import('./config/config.ts')

try {
  // A copy, since NODE_ENV changes below and providers stored in the console are read later.
  const config = readConfig({ ...process.env })
  process.env['NODE_ENV'] = 'production'
  const { startSite } = await import('./start-site.ts')
  await startSite(config)
} catch (error) {
  const { code } = error as { code?: string }
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
  else if (code === 'EADDRINUSE')
    process.stderr.write('The port is taken. Stop what uses it, or set PORT to another.\n')
  else process.stderr.write(`The site could not start: ${(error as Error).stack ?? String(error)}\n`)
  process.exit(1)
}
