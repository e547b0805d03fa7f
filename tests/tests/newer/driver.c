/* A driver of one GPU that is newer than any NVRTC: as much of it as a call over rows asks for. Its memory is the host's. It
   takes text of PTX where WARPFOLD_TEST_OF_NEWER says that it finishes, and refuses as a driver does that is too old for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long Address;
enum { NOT_FOUND = 500, NO_BINARY_FOR_GPU = 209, UNSUPPORTED_PTX_VERSION = 222 };

int cuInit(unsigned flags) { return 0; }
int cuDriverGetVersion(int* version) { *version = 13000; return 0; }
int cuGetErrorName(int error, const char** name) { *name = "AN_ERROR"; return 0; }
int cuGetErrorString(int error, const char** text) { *text = "an error"; return 0; }
/* NVRTC asks for it. */
int cuGetExportTable(const void** table, const void* id) { *table = 0; return NOT_FOUND; }

int cuDeviceGetCount(int* count) { *count = 1; return 0; }
int cuDeviceGet(int* device, int ordinal) { *device = ordinal; return 0; }
int cuDeviceGetName(char* name, int room, int device) { strncpy(name, "a GPU of tomorrow", room); return 0; }
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  switch (attribute) {
    case 75: *value = 99; break;        /* the compute capability's major */
    case 76: *value = 0; break;         /* and minor */
    case 16: *value = 132; break;       /* multiprocessors */
    case 97: *value = 99 << 10; break;  /* shared memory of a block */
    default: *value = 1;
  }
  return 0;
}

int cuDevicePrimaryCtxRetain(void** context, int device) { *context = malloc(1); return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { return 0; }
int cuCtxSetCurrent(void* context) { return 0; }
int cuCtxGetCurrent(void** context) { *context = 0; return 0; }
int cuCtxSynchronize(void) { return 0; }

int cuStreamCreate(void** stream, unsigned flags) { *stream = malloc(1); return 0; }
int cuStreamDestroy_v2(void* stream) { return 0; }
int cuStreamSynchronize(void* stream) { return 0; }
int cuStreamWaitEvent(void* stream, void* event, unsigned flags) { return 0; }
int cuStreamIsCapturing(void* stream, int* status) { *status = 0; return 0; }
int cuStreamGetCaptureInfo_v2(void* stream, int* status, void* id, void* graph, void* nodes, void* count) {
  *status = 0;
  return 0;
}
int cuUserObjectCreate(void) { return NOT_FOUND; }
int cuEventCreate(void** event, unsigned flags) { *event = malloc(1); return 0; }
int cuEventDestroy_v2(void* event) { return 0; }
int cuEventRecord(void* event, void* stream) { return 0; }
int cuEventQuery(void* event) { return 0; }
int cuEventSynchronize(void* event) { return 0; }

int cuMemAllocAsync(Address* address, size_t bytes, void* stream) { *address = (Address)malloc(bytes); return 0; }
int cuMemFreeAsync(Address address, void* stream) { free((void*)address); return 0; }
int cuMemcpyHtoDAsync_v2(Address to, const void* from, size_t bytes, void* stream) {
  memcpy((void*)to, from, bytes);
  return 0;
}

int cuModuleLoadData(void** module, const void* image) {
  const char* task = getenv("WARPFOLD_TEST_OF_NEWER");
  if (memcmp(image, "\x7f" "ELF", 4) == 0) return NO_BINARY_FOR_GPU;
  *module = malloc(1);
  return task && strcmp(task, "finishes") == 0 ? 0 : UNSUPPORTED_PTX_VERSION;
}
int cuModuleGetFunction(void** function, void* module, const char* name) { *function = malloc(1); return 0; }
int cuLaunchKernel(void* function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned threads_y,
                   unsigned threads_z, unsigned shared, void* stream, void** parameters, void** extra) {
  printf("launched %u blocks of %u\n", x, threads);
  fflush(stdout);
  return 0;
}
