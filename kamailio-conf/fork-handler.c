/*
 * OpenSSL 3 keeps state per thread, under pthread keys. Kamailio makes that state before it forks, in memory that all
 * its processes share; they then free and rewrite each other's, and the first burst of TLS connections ends it all
 * (kamailio#3791). A child that forgets what it inherited makes its own. Kamailio 5.8 and later can do this themselves
 * (tls_threads_mode); for older ones this is loaded with LD_PRELOAD.
 */
#include <limits.h>
#include <pthread.h>

static void forget_inherited_thread_state(void) {
  for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; key++)
    if (pthread_getspecific(key)) pthread_setspecific(key, NULL);
}

__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(NULL, NULL, forget_inherited_thread_state);
}
