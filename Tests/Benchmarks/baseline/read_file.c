/* A file as one string that ends with NUL. */
#include <stdio.h>
#include <stdlib.h>

char *read_file(const char *path)
{
    long size;
    char *text = NULL;
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        perror(path);
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        text = malloc((size_t)size + 1);
        if (text != NULL && fread(text, 1, (size_t)size, file) == (size_t)size) {
            text[size] = '\0';
        } else {
            fprintf(stderr, "%s: cannot be read\n", path);
            free(text);
            text = NULL;
        }
    } else {
        perror(path);
    }
    fclose(file);
    return text;
}
