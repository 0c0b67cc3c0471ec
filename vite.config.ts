import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  plugins: [reactRouter(), leaveOutUnusedRouterParts()],
  build: {
    target: 'es2022',
    // A font or picture in the style sheet would be sent with every page; as a file it is fetched once.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every page needs comes in two files, not in fifteen: together they compress better by 6 kB. The first changes only with
          // the libraries; the second holds whatever the frame imports. What the home page shares with others comes in a third.
          groups: [
            {
              name: 'library',
              test: /[\\/]node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]/,
              priority: 2,
            },
            { name: 'frame', test: /[\\/]src[\\/]web[\\/](?:root|entry\.client|app[\\/]title)\.tsx?$/, priority: 1 },
            {
              name: 'shown-often',
              test: /[\\/](?:event-card|news-line|use-pictures|sponsor-wall|structured-data)\.tsx?$/,
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
