/** `npm run test:fast`: `npm test -- --fast`. */
process.argv.push('--fast')
await import('./test.mjs')
