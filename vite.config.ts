import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'
import { SCRIPT_MISSING } from './src/web/app/failures/script-missing.ts'
import { consoleFiles } from './tools/console-files.ts'

const divided = consoleFiles()

export default defineConfig({
  plugins: [divided.plugin, reactRouter(), leaveOutUnusedRouterParts(), letPagesOpenAnew()],
  build: {
    target: 'es2022',
    // A font or picture in the style sheet would be sent with every page; as a file it is fetched once.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false, resolveDependencies: divided.resolveDependencies },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every page needs comes in two files, not in fifteen: together they compress better by 6 kB. The first changes only with
          // the libraries; the second holds whatever the frame imports. The rest is split by who uses it, so that no page loads what only others need.
          groups: [
            {
              name: 'library',
              // Not the router's own links and search parameters: they go with the pages that use them.
              test: /[\\/]node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/](?!dist[\\/]production[\\/]lib[\\/]dom[\\/](?:lib|dom)\.js)/,
              priority: 2,
            },
            {
              name: 'frame',
              test: /[\\/]src[\\/]web[\\/](?:root|entry\.client|app[\\/](?:pages|title)|shared[\\/]frame-contents)\.tsx?$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
})

/** The bundler can not see that the router's `Form` and others have no effect until they are used: 1 kB of every page. */
function leaveOutUnusedRouterParts(): Plugin {
  return {
    name: 'leave-out-unused-router-parts',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]react-router[\\/]dist[\\/]production[\\/]lib[\\/]dom[\\/]lib\.js/ },
      handler: (code) =>
        code
          .replaceAll(/^\w+\.displayName = "\w+";$/gm, '')
          .replaceAll(/(?<== )(?=React\$1\.forwardRef\()/g, '/* @__PURE__ */ '),
    },
  }
}

/**
 * Where the script of a page is gone, the router would reload the page it is on: whoever pressed a link would be where they were, as often as they press
 * it. `src/web/app/failures/reopen-on-missing-script.ts` does better.
 */
function letPagesOpenAnew(): Plugin {
  const ITS_OWN = 'window.location.reload();'
  const OURS = `if (window.dispatchEvent(new Event(${JSON.stringify(SCRIPT_MISSING)}, { cancelable: true }))) throw error;`
  return {
    name: 'let-pages-open-anew',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]react-router[\\/]dist[\\/]production[\\/]lib[\\/]dom[\\/]ssr[\\/]routeModules\.js/ },
      handler(code) {
        if (!code.includes(ITS_OWN))
          this.error(
            'The router no longer reloads in routeModules.js: see src/web/app/failures/reopen-on-missing-script.ts.',
          )
        return code.replace(ITS_OWN, OURS)
      },
    },
  }
}
