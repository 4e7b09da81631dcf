/* The clocks of libc for Java. */
#include <jni.h>
#include <time.h>

JNIEXPORT jlong JNICALL Java_ffibench_Clock_read(JNIEnv *env, jclass class, jint id);

JNIEXPORT jlong JNICALL Java_ffibench_Clock_read(JNIEnv *env, jclass class, jint id)
{
    struct timespec now;

    (void)class;
    if (clock_gettime(id, &now) != 0) {
        const jclass failure = (*env)->FindClass(env, "java/lang/IllegalStateException");
        if (failure != NULL)
            (*env)->ThrowNew(env, failure, "cannot read a clock");
        return 0;
    }
    return (jlong)now.tv_sec * 1000000000 + now.tv_nsec;
}
