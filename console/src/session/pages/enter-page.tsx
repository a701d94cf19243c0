import { dataOf } from '@jackfield/sdk'
import { Alert, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isStatus, messageOf } from '../../api/errors'
import { api } from '../../api/client'
import { useTexts } from '../../i18n/texts'
import { signIn } from '../session'
import { sessionTexts } from '../texts'
import { BackToSignIn, Outside } from './outside'

/** The operator comes here from the platform's console, with a token for one use. */
export function EnterPage() {
  const t = useTexts(sessionTexts)
  const navigate = useNavigate()
  const [token] = useState(() => decodeURIComponent(location.hash.slice(1)))
  // A query, so that the token is used once however often the page is drawn.
  const { data, error } = useQuery({
    queryKey: ['entry', token],
    queryFn: async () => dataOf(api.POST('/auth/enter', { body: { token } })),
    enabled: token !== '',
    ...{ retry: false, staleTime: 'static' },
  })
  useEffect(() => {
    if (!data) return
    signIn({ kind: 'entry', token: data.token })
    void navigate({ to: '/', replace: true })
  }, [data, navigate])
  return (
    <Outside title={t('entering')}>
      {error || token === '' ? (
        <>
          <Alert color="red" role="alert">
            {token === '' || isStatus(error, 400) ? t('badEntry') : messageOf(error)}
          </Alert>
          <BackToSignIn />
        </>
      ) : (
        <Loader aria-label={t('entering')} />
      )}
    </Outside>
  )
}
