/** What the API reports of a thing, and not of a request: in words for people, as soon as these are loaded. */
import { useEffect, useState } from 'react'
import { errorWords, loadErrorWords } from '../api/problems/load'

export function Reported({ text }: { text: string }) {
  return <>{useErrorWords()?.reportInWords(text) ?? text}</>
}

/** What the API calls a field, as forms and errors name it. */
export function useFieldLabel(): (field: string) => string {
  const words = useErrorWords()
  return (field) => words?.labelOf(field) ?? field.replaceAll('_', ' ')
}

function useErrorWords() {
  const [words, setWords] = useState(errorWords)
  useEffect(() => {
    if (words) return
    let isHere = true
    void loadErrorWords().then(() => isHere && setWords(errorWords()))
    return () => {
      isHere = false
    }
  }, [words])
  return words
}
