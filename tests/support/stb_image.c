// The implementation of stb_image, apart from the tests that read pictures: gcc 14 warns of it.
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb/stb_image.h>
