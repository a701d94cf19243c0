import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Answered } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { type Audio, soundQuery } from '../queries'
import { audiosTexts } from '../texts'

/** Plays an audio. It is fetched with the viewer's credentials, which `<audio>` would not send. */
export function Player({ audio: { id, title } }: { audio: Audio }) {
  const query = useQuery(soundQuery(id))
  return (
    <Answered query={query} rows={1}>
      {(sound) => <Sound sound={sound} title={title} />}
    </Answered>
  )
}

function Sound({ sound, title }: { sound: Blob; title: string }) {
  const t = useTexts(audiosTexts)
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(sound)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [sound])
  return (
    <audio src={address} controls autoPlay aria-label={t('listening', { title })} style={{ width: '100%' }} />
  )
}
