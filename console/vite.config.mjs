import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run dev` finds the server: its host decides which workspace is seen. */
const server = process.env.JACKFIELD_URL ?? 'http://acme.localhost:8080'

const outDir = fileURLToPath(new URL('dist/app', import.meta.url))

/**
 * The server sends files as they were packed here: it never packs one while somebody waits.
 * @returns {import('vite').Plugin}
 */
function packed() {
  return {
    name: 'packed',
    apply: 'build',
    closeBundle() {
      for (const name of readdirSync(join(outDir, 'assets'))) {
        if (!/\.(js|css|svg)$/.test(name)) continue
        const path = join(outDir, 'assets', name)
        const content = readFileSync(path)
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
        writeFileSync(`${path}.br`, brotliCompressSync(content))
      }
    },
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), packed()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    chunkSizeWarningLimit: 900,
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': { target: server, changeOrigin: true, ws: true } } },
})
