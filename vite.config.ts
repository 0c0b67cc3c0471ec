import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [reactRouter()],
  build: {
    target: 'es2022',
    // A font or picture in the style sheet would be sent with every page; as a file it is fetched once.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  // Node would read two thousand files for the few icons used, at every start.
  ssr: { noExternal: ['lucide-react'] },
})
